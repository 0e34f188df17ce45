import { expect, test } from 'vitest';
import { type Box, clearBottomPx } from './clear-place.ts';

/** Two lines at the bottom right of a window 900 pixels high. */
const TOASTS: Box = { left: 1000, right: 1400, top: 784, bottom: 884 };
const box = (top: number, bottom: number, left = 900): Box => ({ left, right: left + 300, top, bottom });
const placed = (...marked: Box[]) => clearBottomPx(TOASTS, marked, 900);

test('stays at the bottom right while nothing is covered there', () => {
  expect(placed()).toBe(16);
  expect(placed(box(700, 780), box(800, 880, 0), box(1000, 1100))).toBe(16);
});

test('goes above what it would cover', () => {
  expect(placed(box(800, 880))).toBe(108);
  // Between two: 100 pixels of toasts fit above the lower one only without the upper one.
  expect(placed(box(800, 880), box(600, 760))).toBe(308);
  expect(placed(box(800, 880), box(600, 690))).toBe(108);
});

test('covers something at its usual place if there is no clear one, and never the header', () => {
  expect(placed(box(0, 900))).toBe(16);
  expect(placed(box(150, 900))).toBe(16);
});
