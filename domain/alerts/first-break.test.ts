import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstBarAfter, firstBreak } from './first-break.ts';

const BARS = 50;
const price = fc.double({ min: 1, max: 1000, noNaN: true });
const closes = fc.array(fc.option(price), { minLength: 0, maxLength: BARS });
const edges = fc.array(fc.tuple(price, price), { minLength: BARS, maxLength: BARS });
const bandOf = (pairs: readonly (readonly [number, number])[]) => ({
  lower: pairs.map((pair) => Math.min(...pair)),
  upper: pairs.map((pair) => Math.max(...pair)),
});

test('finds the first close outside, whatever is missing before it; none before the first bar that counts', () => {
  fc.assert(
    fc.property(closes, edges, fc.integer({ min: 1, max: 60 }), (known, pairs, fromBar) => {
      const { lower, upper } = bandOf(pairs);
      const isOut = (bar: number) => {
        const close = known[bar - 1] ?? null;
        return close !== null && (close < (lower[bar - 1] ?? 0) || close > (upper[bar - 1] ?? 0));
      };
      const found = firstBreak({ closes: known, lower, upper, fromBar });
      const bars = Array.from({ length: BARS }, (_, i) => i + 1).filter((bar) => bar >= fromBar && isOut(bar));
      expect(found?.bar).toBe(bars[0]);
      if (found !== null) expect(found.close).toBe(known[found.bar - 1]);
    }),
  );
});

test('counts a close on the edge as inside, and ignores a minute without a candle', () => {
  const flat = (value: number) => Array.from({ length: BARS }, () => value);
  const band = { lower: flat(98), upper: flat(102), fromBar: 1 };
  expect(firstBreak({ ...band, closes: [102, 98, null, null] })).toBeNull();
  expect(firstBreak({ ...band, closes: [100, null, 97.9] })).toEqual({ bar: 3, close: 97.9, lower: 98, upper: 102 });
  expect(firstBreak({ ...band, closes: flat(200), fromBar: 51 })).toBeNull();
  expect(firstBreak({ closes: flat(200), lower: [], upper: [], fromBar: 1 })).toBeNull();
});

test.each([
  ['long before the forecast', -9999, 1],
  ['as the last real candle closed', 60, 1],
  ['a second before the first bar closes', 119, 1],
  ['as the first bar closes: that one is over', 120, 2],
  ['in the middle of the second', 150, 2],
  ['as the last closes: nothing is left', 51 * 60, 51],
])('counts from there for a rule created %s', (_when, afterJoinS, bar) => {
  const joinS = 1_700_000_040;
  expect(firstBarAfter(joinS, joinS + afterJoinS)).toBe(bar);
});
