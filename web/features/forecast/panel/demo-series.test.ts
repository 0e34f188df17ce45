import { expect, test } from 'vitest';
import { isWellFormed } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { demoSeries } from './demo-series.ts';

test.each(SYMBOLS.map((symbol) => [symbol.label, symbol] as const))('holds a whole sample of %s', (_label, symbol) => {
  const { candles, joinS, band } = demoSeries(symbol);

  expect(candles).toHaveLength(200);
  expect(candles.every(isWellFormed)).toBe(true);
  expect(candles.every((c, i) => i === 0 || c.open === candles[i - 1]?.close)).toBe(true);
  expect(candles[149]?.time).toBe(joinS);
  expect(new Set(candles.map((c) => c.close)).size).toBeGreaterThan(20);
  const last = candles[149]?.close ?? 0;
  expect(band.lower95[49]).toBeLessThan(band.lower80[49] ?? 0);
  expect(band.lower80[49]).toBeLessThan(last);
  expect(band.upper80[49]).toBeGreaterThan(last);
  expect(demoSeries(symbol)).toEqual({ candles, joinS, band });
});

test.each(SYMBOLS.map((symbol) => [symbol.label, symbol] as const))(
  'meets the market of %s at its last candle, whatever its price',
  (_label, symbol) => {
    for (const factor of [0.5, 1.234, 10]) {
      const close = symbol.sample.price * factor;
      const market = { time: 1_790_000_040, open: close, high: close, low: close, close };

      const { candles, joinS } = demoSeries(symbol, market);

      expect(joinS).toBe(market.time);
      expect(candles[149]?.time).toBe(market.time);
      expect(candles.every(isWellFormed)).toBe(true);
      expect(Math.abs((candles[149]?.close ?? 0) / close - 1)).toBeLessThan(0.003);
    }
  },
);
