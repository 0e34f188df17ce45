import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_S } from '../../market/candle.ts';
import {
  chancesExpected,
  elapsedMinutes,
  momentAfter,
  momentBefore,
  RECORDED_WINDOWS,
  windowEndS,
  windowMinutes,
  windowStartS,
  windowsAt,
} from './chance-moments.ts';

const QUARTER_S = Date.parse('2026-11-21T06:00:00Z') / 1000;
/** Any second of two days. */
const anySecond = fc.integer({ min: QUARTER_S, max: QUARTER_S + 2 * 86_400 });
/** Half of them on a whole minute, where moments are. */
const aSecond = fc.oneof(
  anySecond,
  anySecond.map((atS) => atS - (atS % MINUTE_S)),
);

test('has seven moments a quarter of an hour, two of them of both windows', () => {
  const minutes = Array.from(
    { length: 15 },
    (_, minute) => [minute, windowsAt(QUARTER_S + minute * MINUTE_S)] as const,
  );
  expect(minutes.filter(([, windows]) => windows.length > 0)).toEqual([
    [1, [5]],
    [3, [5, 15]],
    [6, [5]],
    [8, [5, 15]],
    [11, [5]],
    [12, [15]],
    [13, [5]],
  ]);
  expect(windowsAt(QUARTER_S + MINUTE_S + 1)).toEqual([]);
});

test('finds the moments before and after any second, with none between them', () => {
  fc.assert(
    fc.property(aSecond, (atS) => {
      const [before, after] = [momentBefore(atS), momentAfter(atS)];
      expect(before <= atS && atS < after).toBe(true);
      expect(momentAfter(before)).toBe(after);
      expect(after - before).toBeLessThanOrEqual(3 * MINUTE_S);
    }),
  );
});

test('places each moment within its window', () => {
  fc.assert(
    fc.property(aSecond, fc.constantFrom(...RECORDED_WINDOWS), (atS, window) => {
      const [startS, endS] = [windowStartS(atS, window), windowEndS(atS, window)];
      expect(startS <= atS && atS < endS).toBe(true);
      expect(startS % (window * MINUTE_S)).toBe(0);
      expect(windowMinutes(atS, window)).toEqual(
        Array.from({ length: window }, (_, minute) => startS + minute * MINUTE_S),
      );
      expect(elapsedMinutes(startS, window)).toBe(0);
    }),
  );
});

describe('the number of chances that should be there', () => {
  test('is what single moments add up to, whatever the span', () => {
    fc.assert(
      fc.property(aSecond, aSecond, fc.constantFrom(...RECORDED_WINDOWS), (fromS, toS, window) => {
        let count = 0;
        for (let atS = Math.ceil(fromS / MINUTE_S) * MINUTE_S; atS < toS; atS += MINUTE_S)
          count += Number(windowsAt(atS).includes(window));
        expect(chancesExpected(window, fromS, toS)).toBe(count);
      }),
    );
  });

  test('is 864 a day and coin', () => {
    const ofDay = RECORDED_WINDOWS.map((window) => chancesExpected(window, QUARTER_S, QUARTER_S + 86_400));
    expect(ofDay).toEqual([576, 288]);
  });
});
