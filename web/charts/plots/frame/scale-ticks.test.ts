import { expect, test } from 'vitest';
import { roundTicks, tickDecimals } from './scale-ticks.ts';

test.each([
  [-0.1, 1.3, 4, [-0.5, 0, 0.5, 1, 1.5]],
  [0, 12, 4, [0, 5, 10, 15]],
  [76.4, 82.1, 4, [76, 78, 80, 82, 84]],
  [0, 0.04, 4, [0, 0.01, 0.02, 0.03, 0.04]],
])('divides %d to %d into about %d gaps: %j', (min, max, wanted, ticks) => {
  expect(roundTicks(min, max, wanted)).toEqual(ticks);
});

test('gives a span of nothing two ends', () => {
  const ticks = roundTicks(80, 80, 4);

  expect(ticks.length).toBeGreaterThan(1);
  expect(ticks.every(Number.isFinite)).toBe(true);
});

test('distinguishes neighbouring ticks by decimals', () => {
  expect([tickDecimals([0, 0.5]), tickDecimals([0, 0.25]), tickDecimals([78, 80]), tickDecimals([0, 0.05])]).toEqual([
    1, 2, 0, 2,
  ]);
});
