import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candle } from '../../market/candle.ts';
import { nearerOf, pathScoreSchema, SCORED_BARS, scorePath } from './scoring.ts';

const T0 = 1_790_000_040;

/** @param closes  of minutes after T0; each candle opens at the close before it */
function candlesOf(closes: readonly number[], lastClose = 100, wick = 0): Candle[] {
  return closes.map((close, i) => {
    const open = closes[i - 1] ?? lastClose;
    const high = Math.max(open, close) * Math.exp(wick);
    return { time: T0 + 60 * (i + 1), open, high, low: Math.min(open, close) * Math.exp(-wick), close };
  });
}

const flat = (close: number): Candle[] => candlesOf(Array.from({ length: 50 }, () => close));
/** Closes that rise by one basis point of ln a bar. */
const rising = (bpPerBar: number) =>
  candlesOf(Array.from({ length: 50 }, (_, i) => 100 * Math.exp((bpPerBar * (i + 1)) / 1e4)));

/** Fifty log steps of up to 1%, and the wicks of the candles. */
const walk = fc
  .tuple(
    fc.array(fc.double({ min: -0.01, max: 0.01, noNaN: true }), { minLength: 50, maxLength: 50 }),
    fc.double({ min: 0, max: 0.01, noNaN: true }),
  )
  .map(([steps, wick]) => {
    let log = Math.log(100);
    return candlesOf(
      steps.map((step) => {
        log += step;
        return Math.exp(log);
      }),
      100,
      wick,
    );
  });

test('measures each error as the distance in ln, in basis points, at its bar', () => {
  const score = scorePath({ lastClose: 100, path: flat(100), outcome: rising(2) });

  for (const bar of SCORED_BARS) expect(score.path.atBarBp[bar]).toBeCloseTo(2 * bar, 8);
  expect(score.path.maeBp).toBeCloseTo(51, 8);
  expect(score.path.rmseBp).toBeCloseTo(2 * Math.sqrt((51 * 101) / 6), 8);
  expect(score.rangeBp.outcome).toBeCloseTo(100, 8);
});

test('measures a fall as far as a rise', () => {
  const [up, down] = [rising(3), rising(-3)].map((outcome) => scorePath({ lastClose: 100, path: flat(100), outcome }));

  expect(up?.path.maeBp).toBeCloseTo(down?.path.maeBp ?? 0, 8);
});

test('counts the side among the bars that left the last close, for information only', () => {
  const right = scorePath({ lastClose: 100, path: rising(1), outcome: rising(9) });
  const wrong = scorePath({ lastClose: 100, path: rising(-1), outcome: rising(9) });
  const still = scorePath({ lastClose: 100, path: rising(1), outcome: flat(100) });

  expect([right.sameSideShare, wrong.sameSideShare, still.sameSideShare]).toEqual([1, 0, null]);
  expect(nearerOf(right)).toBe('path');
  expect(nearerOf(wrong)).toBe('last-close');
  // On the right side and yet farther off than no forecast at all.
  expect(nearerOf(scorePath({ lastClose: 100, path: rising(9), outcome: rising(1) }))).toBe('last-close');
});

test('counts a real close on the edge of the drawn candle as inside', () => {
  const path = flat(100).map((candle, i) => ({ ...candle, high: 101, low: i < 25 ? 99 : 100 }));

  expect(scorePath({ lastClose: 100, path, outcome: flat(101) }).insideShare).toBe(1);
  expect(scorePath({ lastClose: 100, path, outcome: flat(99.5) }).insideShare).toBe(0.5);
});

test('gives no error to a perfect path', () => {
  fc.assert(
    fc.property(walk, (outcome) => {
      const score = scorePath({ lastClose: 100, path: outcome, outcome });

      expect([score.path.maeBp, score.path.rmseBp, score.highMaeBp, score.lowMaeBp]).toEqual([0, 0, 0, 0]);
      expect(score.insideShare).toBe(1);
      expect(score.rangeBp.path).toBe(score.rangeBp.outcome);
    }),
  );
});

test('gives the last close, drawn as a path, its own error, and calls neither closer', () => {
  fc.assert(
    fc.property(walk, (outcome) => {
      const score = scorePath({ lastClose: 100, path: flat(100), outcome });

      expect(score.path).toEqual(score.lastClose);
      expect(nearerOf(score)).toBe('equal');
      expect(nearerOf(score, 50)).toBe('equal');
    }),
  );
});

test('gives the same score for prices of another size', () => {
  const scaled = (candles: readonly Candle[], by: number): Candle[] =>
    candles.map(({ time, open, high, low, close }) => ({
      time,
      open: open * by,
      high: high * by,
      low: low * by,
      close: close * by,
    }));
  fc.assert(
    fc.property(walk, walk, fc.constantFrom(0.001, 0.5, 1000), (path, outcome, by) => {
      const own = scorePath({ lastClose: 100, path, outcome });
      const other = scorePath({ lastClose: 100 * by, path: scaled(path, by), outcome: scaled(outcome, by) });

      expect(other.path.maeBp).toBeCloseTo(own.path.maeBp, 6);
      expect(other.lastClose.rmseBp).toBeCloseTo(own.lastClose.rmseBp, 6);
      expect(other.highMaeBp).toBeCloseTo(own.highMaeBp, 6);
      expect(other.rangeBp.outcome).toBeCloseTo(own.rangeBp.outcome, 6);
    }),
  );
});

test('has no error below zero, no smaller squared mean, and shares within 0 and 1', () => {
  fc.assert(
    fc.property(walk, walk, (path, outcome) => {
      const score = scorePath({ lastClose: 100, path, outcome });

      for (const error of [score.path, score.lastClose]) {
        expect(error.maeBp).toBeGreaterThanOrEqual(0);
        expect(error.rmseBp).toBeGreaterThanOrEqual(error.maeBp - 1e-9);
        for (const bar of SCORED_BARS)
          expect(error.atBarBp[bar]).toBeLessThanOrEqual(error.rmseBp * Math.sqrt(50) + 1e-9);
      }
      for (const share of [score.insideShare, score.sameSideShare ?? 0]) {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }
      expect(pathScoreSchema.parse(JSON.parse(JSON.stringify(score)))).toEqual(score);
    }),
  );
});

test('gives the same error with path and outcome exchanged', () => {
  fc.assert(
    fc.property(walk, walk, (a, b) => {
      const there = scorePath({ lastClose: 100, path: a, outcome: b });
      const back = scorePath({ lastClose: 100, path: b, outcome: a });

      expect(there.path.maeBp).toBeCloseTo(back.path.maeBp, 9);
      expect(there.highMaeBp).toBeCloseTo(back.highMaeBp, 9);
      // No farther from the outcome than by way of the last close.
      expect(there.path.maeBp).toBeLessThanOrEqual(there.lastClose.maeBp + back.lastClose.maeBp + 1e-9);
    }),
  );
});

const good = flat(100);
test.each([
  ['49 candles', { outcome: good.slice(1) }],
  ['another minute', { outcome: good.map((candle) => ({ ...candle, time: candle.time + 60 })) }],
  ['a close above its high', { outcome: good.map((candle, i) => (i === 7 ? { ...candle, close: 200 } : candle)) }],
  ['a price that is no number', { path: good.map((candle, i) => (i === 7 ? { ...candle, low: Number.NaN } : candle)) }],
  ['a last close of 0', { lastClose: 0 }],
  ['an endless last close', { lastClose: Number.POSITIVE_INFINITY }],
])('rejects %s', (_what, change) => {
  expect(() => scorePath({ lastClose: 100, path: good, outcome: good, ...change })).toThrow(RangeError);
});
