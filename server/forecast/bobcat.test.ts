import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type Candle, isWellFormed } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { computeForecast, type ForecastSubject } from './bobcat.ts';
import { buildFeatures } from './features.ts';
import { generatedCandles } from './generated-candles.ts';
import { forecastVolatility } from './har-model.ts';
import { harModelSchema } from './model-file.ts';
import { closeQuantiles } from './quantile-bands.ts';

const MODEL = harModelSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../models/bobcat/model.json'), 'utf8')),
);
const ETH: ForecastSubject = { sym: 'ETHUSDT.P', assetClass: 'crypto', tickSize: 0.01 };
const CANDLES = generatedCandles({ seed: 'bobcat', count: 450, firstOpen: 2500, tickSize: 0.01 });

const forecast = (candles: readonly Candle[], subject = ETH, version = 'v1') =>
  computeForecast(MODEL, version, subject, candles);

const aMarket = fc.record({
  seed: fc.string({ maxLength: 8 }),
  count: fc.integer({ min: 120, max: 460 }),
  firstOpen: fc.double({ min: 0.05, max: 90_000, noNaN: true }),
  volatility: fc.double({ min: 1e-6, max: 0.01, noNaN: true }),
  symbol: fc.constantFrom(...SYMBOLS),
});

test('every drawn candle keeps the invariants, in any market and on any tick', () => {
  fc.assert(
    fc.property(aMarket, ({ seed, count, firstOpen, volatility, symbol }) => {
      const open = Math.max(firstOpen, 50 * symbol.tickSize);
      const candles = generatedCandles({ seed, count, firstOpen: open, volatility, tickSize: symbol.tickSize });

      const { path, t0, lastClose } = forecast(candles, symbol);

      expect(path).toHaveLength(HORIZON_BARS);
      path.forEach((candle, i) => {
        expect(isWellFormed(candle)).toBe(true);
        expect(candle.time).toBe(t0 + 60 * (i + 1));
        expect(candle.open).toBe(i === 0 ? lastClose : path[i - 1]?.close);
        const ticks = candle.close / symbol.tickSize;
        expect(Math.abs(ticks - Math.round(ticks))).toBeLessThan(1e-4);
      });
    }),
    { numRuns: 200 },
  );
}, 20_000);

test('the bands enclose the last close and each other at every horizon', () => {
  fc.assert(
    fc.property(aMarket, ({ seed, count, firstOpen, volatility, symbol }) => {
      const open = Math.max(firstOpen, 50 * symbol.tickSize);
      const candles = generatedCandles({ seed, count, firstOpen: open, volatility, tickSize: symbol.tickSize });

      const { band, lastClose } = forecast(candles, symbol);

      for (let i = 0; i < HORIZON_BARS; i++) {
        const edges = [band.lower95[i], band.lower80[i], lastClose, band.upper80[i], band.upper95[i]].map(Number);
        expect(edges).toEqual([...edges].sort((a, b) => a - b));
        expect(edges[0]).toBeGreaterThan(0);
      }
    }),
    { numRuns: 100 },
  );
}, 20_000);

test('band edges are the calibrated quantiles, rounded outward by less than a tick', () => {
  const { band, lastClose, volatility } = forecast(CANDLES);
  const quantiles = closeQuantiles(MODEL, 'crypto', volatility.sigma);

  for (const h of [1, 25, 50]) {
    const [lower95 = 0, lower80 = 0, upper80 = 0, upper95 = 0] = [1, 3, 21, 23].map(
      (level) => lastClose * Math.exp(quantiles[h - 1]?.[level] ?? Number.NaN),
    );
    const outward = [
      lower95 - (band.lower95[h - 1] ?? 0),
      lower80 - (band.lower80[h - 1] ?? 0),
      (band.upper80[h - 1] ?? 0) - upper80,
      (band.upper95[h - 1] ?? 0) - upper95,
    ];
    for (const distance of outward) {
      expect(distance).toBeGreaterThan(-1e-6);
      expect(distance).toBeLessThan(ETH.tickSize);
    }
  }
});

test('candles have wicks on both sides, as a market draws them', () => {
  const { path } = forecast(CANDLES);

  expect(path.filter((c) => c.high > Math.max(c.open, c.close)).length).toBeGreaterThan(25);
  expect(path.filter((c) => c.low < Math.min(c.open, c.close)).length).toBeGreaterThan(25);
});

test('nothing after t0 changes a forecast by a single byte', () => {
  const whole = generatedCandles({ seed: 'leak', count: 600, firstOpen: 2500, tickSize: 0.01 });
  const changed = whole.map((c, i) => (i < 450 ? c : { ...c, open: 1, high: 9e9, low: 0.5, close: 7 }));

  const texts = [whole, changed].map((candles) => JSON.stringify(forecast(candles.slice(0, 450))));

  expect(texts[0]).toBe(texts[1]);
});

test('the last candle does change it', () => {
  const moved = CANDLES.map((c, i) => (i === 449 ? { ...c, high: c.high * 1.01 } : c));

  expect(forecast(moved).volatility.sigma[0]).toBeGreaterThan(forecast(CANDLES).volatility.sigma[0] ?? Infinity);
});

test('the same question gives the same picture; another symbol, version or minute another one', () => {
  const closes = (f: ReturnType<typeof forecast>) => f.path.map((c) => c.close / f.lastClose).join();
  const shifted = CANDLES.map((c) => ({ ...c, time: c.time + 3600 }));

  const first = closes(forecast(CANDLES));

  expect(closes(forecast(CANDLES))).toBe(first);
  expect(closes(forecast(CANDLES, { ...ETH, sym: 'SOLUSDT.P' }))).not.toBe(first);
  expect(closes(forecast(CANDLES, ETH, 'v2'))).not.toBe(first);
  expect(closes(forecast(shifted))).not.toBe(first);
});

test('a wilder market gets a wider band', () => {
  const wild = generatedCandles({ seed: 'bobcat', count: 450, firstOpen: 2500, tickSize: 0.01, volatility: 3e-3 });
  const width = (candles: readonly Candle[]): number => forecast(candles).volatility.sigma[49] ?? 0;

  expect(width(wild) / width(CANDLES)).toBeGreaterThan(2);
});

test('quantiles rise with their level and mirror around 0', () => {
  const features = buildFeatures(CANDLES, 'crypto');
  const quantiles = closeQuantiles(MODEL, 'crypto', forecastVolatility(MODEL, features).sigma);

  for (const row of quantiles) {
    expect(row).toHaveLength(25);
    expect(row).toEqual([...row].sort((a, b) => a - b));
    row.forEach((value, i) => {
      expect(value).toBeCloseTo(-(row[24 - i] ?? 0), 15);
    });
  }
});

test('prices below one tick and leaps that no market makes are refused', () => {
  const cheap = generatedCandles({ seed: 'cheap', count: 150, firstOpen: 0.5, tickSize: 0.001 });
  const leaping = CANDLES.map((c, i) => {
    const factor = i % 2 === 0 ? 1 : 1e6;
    return { ...c, open: factor, high: factor * 10, low: factor / 10, close: factor };
  });

  expect(reasonOf(() => forecast(cheap, { ...ETH, tickSize: 1 }))).toBe('the last close is below one tick');
  expect(reasonOf(() => forecast(leaping))).toBe('volatility is not plausible');
});

function reasonOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return isAppError(error) && error.code === 'forecast/failed' ? error.details.reason : error;
  }
  return null;
}
