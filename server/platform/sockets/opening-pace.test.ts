import { expect, test } from 'vitest';
import { openingPace } from './opening-pace.ts';

test('opens a fifth of the rate immediately, the rest evenly, and refuses what would wait longer than 10 s', () => {
  let nowMs = 0;
  const pace = openingPace(500, () => nowMs);

  const waits = Array.from({ length: 650 }, () => pace.waitMs('office'));

  expect(waits.slice(0, 100).every((wait) => wait === 0)).toBe(true);
  expect(waits.slice(100, 103)).toEqual([20, 40, 60]);
  expect([waits[599], waits[600], waits[649]]).toEqual([10_000, null, null]);
  nowMs = 1000;
  expect(pace.waitMs('office')).toBe(9020);
  expect(pace.waitMs('another')).toBe(0);
});

test('is free again after a rest, and remembers no address that has rested', () => {
  let nowMs = 0;
  const pace = openingPace(5, () => nowMs);
  expect([pace.waitMs('a'), pace.waitMs('a'), pace.waitMs('a')]).toEqual([0, 2000, 4000]);

  nowMs = 30_000;

  expect([pace.waitMs('a'), pace.waitMs('a')]).toEqual([0, 2000]);
});
