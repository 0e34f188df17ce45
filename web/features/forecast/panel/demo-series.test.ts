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
