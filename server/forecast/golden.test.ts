/** The shipped model on made-up candles gives what it gave when it was fitted. Differences here mean drift, on purpose or not. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { candleColumnsSchema, fromColumns } from '#domain/market/candle.ts';
import { buildFeatures } from './features.ts';
import { openModelRegistry } from './model-registry.ts';

const MODELS_DIR = join(import.meta.dirname, '../../models');

const numbers = z.array(z.number());
const goldenSchema = z.object({
  modelVersion: z.string(),
  cases: z.array(
    z.object({
      name: z.string(),
      subject: z.object({ sym: z.string(), assetClass: z.enum(['crypto', 'equity', 'metal']), tickSize: z.number() }),
      candles: candleColumnsSchema,
      expected: z.object({
        t0: z.int(),
        scale: z.number(),
        values: numbers,
        session: numbers,
        sigma: numbers,
        rv50: z.number(),
        range50: z.number(),
        path: candleColumnsSchema,
        band: z.object({ lower80: numbers, upper80: numbers, lower95: numbers, upper95: numbers }),
      }),
    }),
  ),
});
const golden = goldenSchema.parse(JSON.parse(readFileSync(join(MODELS_DIR, 'bobcat/golden.json'), 'utf8')));

test('the golden file belongs to the shipped model', () => {
  expect(golden.modelVersion).toBe(openModelRegistry(MODELS_DIR).ready('bobcat').modelVersion);
});

test.each(golden.cases.map((c) => [c.name, c] as const))('%s', (_name, { subject, candles, expected }) => {
  const given = fromColumns(candles);

  const features = buildFeatures(given, subject.assetClass);
  const forecast = openModelRegistry(MODELS_DIR).ready('bobcat').forecast(subject, given);

  near(features.values, expected.values);
  near(features.session, expected.session);
  near(forecast.volatility.sigma, expected.sigma);
  near(
    [features.scale, forecast.volatility.rv50, forecast.volatility.range50],
    [expected.scale, expected.rv50, expected.range50],
  );
  expect(forecast.t0).toBe(expected.t0);
  expect(forecast.path).toEqual(fromColumns(expected.path));
  expect(forecast.band).toEqual(expected.band);
});

function near(actual: ArrayLike<number>, expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  expected.forEach((value, i) => {
    expect(actual[i]).toBeCloseTo(value, 12);
  });
}
