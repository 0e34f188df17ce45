import { expect, test } from 'vitest';
import { accuracyGrade, checkPoints, galleryAccuracy } from './gallery-accuracy.ts';

const LAST = 100;
const flat = (close: number) => Array.from({ length: 50 }, () => close);
/** Above the last close at the check bars named, below it everywhere else. */
const upAt = (...bars: number[]) => flat(99).map((close, i) => (bars.includes(i + 1) ? 101 : close));

test('counts every fifth bar and none between', () => {
  const outcome = flat(101);

  expect(galleryAccuracy({ lastClose: LAST, forecast: upAt(5, 50), outcome })).toBe(20);
  expect(galleryAccuracy({ lastClose: LAST, forecast: upAt(1, 4, 6, 49), outcome })).toBe(0);
  expect(galleryAccuracy({ lastClose: LAST, forecast: flat(101), outcome })).toBe(100);
});

test('counts the side, not the distance', () => {
  expect(galleryAccuracy({ lastClose: LAST, forecast: flat(100.01), outcome: flat(250) })).toBe(100);
});

test('counts a close on the last real close as no side, in forecast and outcome', () => {
  const points = checkPoints({ lastClose: LAST, forecast: flat(100), outcome: flat(100) });

  expect(points).toEqual(Array.from({ length: 10 }, () => false));
  expect(galleryAccuracy({ lastClose: LAST, forecast: flat(101), outcome: flat(100) })).toBe(0);
});

test.each([
  [100, 'good'],
  [80, 'good'],
  [79, 'fair'],
  [60, 'fair'],
  [59, 'poor'],
  [0, 'poor'],
])('calls %i %% %s', (accuracy, grade) => {
  expect(accuracyGrade(accuracy)).toBe(grade);
});

test("rejects too few closes, and one that isn't a number", () => {
  expect(() => galleryAccuracy({ lastClose: LAST, forecast: flat(1).slice(1), outcome: flat(1) })).toThrow(RangeError);
  expect(() => galleryAccuracy({ lastClose: LAST, forecast: flat(1), outcome: flat(Number.NaN) })).toThrow(RangeError);
});
