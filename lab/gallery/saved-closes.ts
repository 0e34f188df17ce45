/** Closes and bands of each example, saved beside the gallery's texts, so that its figures can be recomputed. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { MODEL_NAMES } from '../../domain/forecast/models.ts';
import type { FoundForecast } from './search.ts';
import { closesOf } from './search.ts';

const closes = z.array(z.number()).check(z.length(50));

const savedExampleSchema = z.object({
  symbol: z.string(),
  model: z.enum(MODEL_NAMES),
  modelVersion: z.string(),
  t0: z.int(),
  lastClose: z.number(),
  forecast: closes,
  outcome: closes,
  lower80: closes,
  upper80: closes,
  lower95: closes,
  upper95: closes,
});

export type SavedExample = z.infer<typeof savedExampleSchema>;

export const CLOSES_FILE = resolve(import.meta.dirname, '../../web/content/gallery-closes.json');

export function savedExamples(): SavedExample[] {
  return z.array(savedExampleSchema).parse(JSON.parse(readFileSync(CLOSES_FILE, 'utf8')));
}

export function savedExample(found: FoundForecast): SavedExample {
  const { symbol, model, modelVersion, t0, band } = found;
  const { lastClose, forecast, outcome } = closesOf(found);
  return {
    symbol: symbol.label,
    model,
    modelVersion,
    t0,
    lastClose,
    forecast: [...forecast],
    outcome: [...outcome],
    ...band,
  };
}
