/**
 * Passes every kind of faulty lookback through the whole forecast: each is refused clearly or handled as documented.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { type Candle, isWellFormed } from '#domain/market/candle.ts';
import { generatedCandles } from '../models/generated-candles.ts';
import { openModelRegistry, type ReadyModel } from '../models/model-registry.ts';
import { inProcessRunner } from '../models/opened-model.ts';
import { type ModelsFolder, makeModelsFolder } from '../testing/model-fixtures.ts';

const BTC = { sym: 'BTCUSDT.P', assetClass: 'crypto', tickSize: 0.1 } as const;
const CANDLES = generatedCandles({ seed: 'input', count: 450, firstOpen: 60_000, tickSize: 0.1 });
const runner = inProcessRunner();
let folder: ModelsFolder;
let model: ReadyModel;

beforeAll(async () => {
  folder = makeModelsFolder({ bobcat: 'sound' });
  model = (await openModelRegistry(folder.path, runner)).ready('bobcat');
});

afterAll(async () => {
  await runner.close();
  folder.remove();
});

const forecastOf = (candles: readonly Candle[]) => model.forecast(BTC, candles);

/** Replaces one candle. */
function with7(change: (candle: Candle) => Candle): Candle[] {
  return CANDLES.map((candle, i) => (i === 7 ? change(candle) : candle));
}

async function refusalOf(candles: readonly Candle[]): Promise<unknown> {
  const error = await forecastOf(candles).catch((reason: unknown) => reason);
  return isAppError(error) ? { code: error.code, ...error.details } : 'no refusal';
}

test.each<[string, () => Candle[], string]>([
  [
    'a price that is no number',
    () => with7((c) => ({ ...c, close: Number.NaN })),
    'low, open, close and high are out of order',
  ],
  ['a low that is no number', () => with7((c) => ({ ...c, low: Number.NaN })), 'price is not positive and finite'],
  [
    'an infinite high',
    () => with7((c) => ({ ...c, high: Number.POSITIVE_INFINITY })),
    'price is not positive and finite',
  ],
  ['a price of 0', () => with7((c) => ({ ...c, low: 0 })), 'price is not positive and finite'],
  ['a negative price', () => with7((c) => ({ ...c, low: -1 })), 'price is not positive and finite'],
  ['a high below the close', () => with7((c) => ({ ...c, high: c.low })), 'low, open, close and high are out of order'],
  ['a time that is no number', () => with7((c) => ({ ...c, time: Number.NaN })), "time isn't a whole minute"],
  ['a time between minutes', () => with7((c) => ({ ...c, time: c.time + 1 })), "time isn't a whole minute"],
  ['the same minute twice', () => with7((c) => ({ ...c, time: c.time - 60 })), 'time does not increase'],
  ['rows newest first', () => [...CANDLES].reverse(), 'time does not increase'],
  ['two rows exchanged', () => with7((c) => ({ ...c, time: c.time + 120 })), 'time does not increase'],
])('refuses %s with its reason and index', async (_what, make, reason) => {
  expect(await refusalOf(make())).toEqual({ code: 'forecast/failed', reason, index: expect.any(Number) });
});

test('gives constant prices the narrowest band: 2e-5 a minute, and at least a tick', async () => {
  const still = CANDLES.map((c) => ({ ...c, open: 60_000, high: 60_000, low: 60_000, close: 60_000 }));

  const { path, band } = await forecastOf(still);

  expect(path.every(isWellFormed)).toBe(true);
  expect(band.upper80[0]).toBeGreaterThan(60_000);
  expect((band.upper95[49] ?? 0) / 60_000 - 1).toBeLessThan(5e-4);
});

test('treats a volume of 0 or NaN like a feed without volume', async () => {
  const withVolume = (volume: number | undefined) => forecastOf(CANDLES.map((c) => ({ ...c, volume })));

  const [none, zero, nonsense] = await Promise.all([withVolume(undefined), withVolume(0), withVolume(Number.NaN)]);

  expect(zero).toEqual(none);
  expect(nonsense).toEqual(none);
});

test('withholds a forecast from price leaps that no market makes', async () => {
  const leaping = CANDLES.map((c, i) => {
    const price = i % 2 === 0 ? 1 : 1e6;
    return { ...c, open: price, high: price * 10, low: price / 10, close: price };
  });

  expect(await refusalOf(leaping)).toEqual({
    code: 'forecast/failed',
    reason: expect.stringContaining('not plausible'),
  });
});
