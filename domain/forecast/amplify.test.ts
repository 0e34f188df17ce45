import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candle } from '../market/candle.ts';
import { amplifyBand, amplifyCandle, amplifyPrice, readAmpPercent } from './amplify.ts';

const aPrice = fc.double({ min: 1e-4, max: 1e6, noNaN: true });
const aCandle = fc.tuple(aPrice, aPrice, aPrice, aPrice).map((prices): Candle => {
  const [low = 1, open = 1, close = 1, high = 1] = prices.sort((a, b) => a - b);
  return { time: 60, open, high, low, close, volume: 3 };
});

test('changes nothing at 100 per cent, to the last bit', () => {
  fc.assert(
    fc.property(aCandle, aPrice, (candle, lastClose) => {
      expect(amplifyCandle(candle, lastClose, 100)).toEqual(candle);
    }),
  );
});

test('keeps prices positive and low, open, close, high in order at any amplification', () => {
  fc.assert(
    fc.property(aCandle, aPrice, fc.double({ min: 0, max: 500, noNaN: true }), (candle, lastClose, percent) => {
      fc.pre(candle.high / lastClose < 1e3 && candle.low / lastClose > 1e-3);

      const seen = amplifyCandle(candle, lastClose, percent);

      expect(seen.low).toBeGreaterThan(0);
      expect(seen.low).toBeLessThanOrEqual(Math.min(seen.open, seen.close));
      expect(seen.high).toBeGreaterThanOrEqual(Math.max(seen.open, seen.close));
      expect([seen.time, seen.volume]).toEqual([candle.time, candle.volume]);
    }),
  );
});

test('draws everything at the last close at 0 per cent, and doubles the log deviation at 200', () => {
  expect(amplifyPrice(105, 100, 0)).toBe(100);
  expect(amplifyPrice(110, 100, 200)).toBeCloseTo(121, 10);
});

test('amplifies bands with the candles', () => {
  const band = { lower80: [99], upper80: [101], lower95: [98], upper95: [102] };

  const seen = amplifyBand(band, 100, 300);

  expect(seen.upper95[0]).toBeCloseTo(106.1208, 8);
  expect(seen.lower80[0]).toBeCloseTo(97.0299, 8);
});

test.each([
  [250, 250],
  ['250', 250],
  ['-3', 0],
  [9000, 500],
  ['', 100],
  ['much', 100],
  [undefined, 100],
  [null, 100],
  [Number.NaN, 100],
  [Number.POSITIVE_INFINITY, 100],
  [[200], 100],
])('reads %o as %i per cent', (value, expected) => {
  expect(readAmpPercent(value)).toBe(expected);
});
