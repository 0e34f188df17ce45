import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCandleAt } from './open-candle.ts';

const whole = { time: 1_700_000_040, open: 100, high: 103.5, low: 98.2, close: 101.3, volume: 12.5 };

test('starts as its open alone and ends as the whole candle', () => {
  expect(openCandleAt(whole, 0, 0.1)).toEqual({ ...whole, high: 100, low: 100, close: 100, volume: 0 });
  expect(openCandleAt(whole, 1, 0.1)).toEqual(whole);
});

test('only widens as time passes, and never leaves the whole candle', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
      const early = openCandleAt(whole, Math.min(a, b), 0.1);
      const late = openCandleAt(whole, Math.max(a, b), 0.1);

      expect(late.high).toBeGreaterThanOrEqual(early.high);
      expect(late.low).toBeLessThanOrEqual(early.low);
      expect(late.close).toBeGreaterThanOrEqual(late.low);
      expect(late.close).toBeLessThanOrEqual(late.high);
      expect(late.high).toBeLessThanOrEqual(whole.high);
      expect(late.low).toBeGreaterThanOrEqual(whole.low);
    }),
  );
});
