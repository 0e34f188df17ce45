import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCandleAt } from '../market-time.ts';
import { tradesOfCandle } from './ticks.ts';

const whole = { time: 1_700_000_040, open: 100, high: 103.5, low: 98.2, close: 101.3, volume: 12.5 };
const trades = tradesOfCandle(whole, 0.1, 7);
const seenAt = (fraction: number) => openCandleAt(whole, trades, (whole.time + 60 * fraction) * 1000);

test('starts as its open alone and ends as the whole candle', () => {
  const first = trades[0]?.size ?? 0;

  expect(seenAt(0)).toEqual({ ...whole, high: 100, low: 100, close: 100, volume: first });
  expect(seenAt(-1)).toEqual({ ...whole, high: 100, low: 100, close: 100, volume: first });
  expect(seenAt(1)).toEqual(whole);
});

test('only widens as time passes, and stays within the whole candle', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
      const early = seenAt(Math.min(a, b));
      const late = seenAt(Math.max(a, b));

      expect(late.high).toBeGreaterThanOrEqual(early.high);
      expect(late.low).toBeLessThanOrEqual(early.low);
      expect(late.volume).toBeGreaterThanOrEqual(early.volume ?? 0);
      expect(late.close).toBeGreaterThanOrEqual(late.low);
      expect(late.close).toBeLessThanOrEqual(late.high);
      expect(late.high).toBeLessThanOrEqual(whole.high);
      expect(late.low).toBeGreaterThanOrEqual(whole.low);
    }),
  );
});

test('adds no volume to a candle without one', () => {
  const { volume: _volume, ...bare } = whole;

  expect(openCandleAt(bare, tradesOfCandle(bare, 0.1, 7), 1e15)).toEqual(bare);
});
