import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linePath, overlayLayout, sharePaths } from './overlay-layout.ts';

const SIZE = { width: 600, height: 168, fromS: 0, toS: 1000, scale: 1 };
const line = (...values: number[]) => values.map((value, i) => ({ timeS: i * 100, value }));

test('places every share and every price within the chart, whatever the price', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 1e-6, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 11 }),
      (values) => {
        const { y, overY, x, top, bottom, left, right, ticks } = overlayLayout(line(...values), SIZE);

        for (const at of [y(0), y(100), ...values.map(overY), ...ticks.map(overY)]) {
          expect(at).toBeGreaterThanOrEqual(top - 0.01);
          expect(at).toBeLessThanOrEqual(bottom + 0.01);
        }
        for (const timeS of [-50, 0, 500, 1000, 2000]) {
          expect(x(timeS)).toBeGreaterThanOrEqual(left);
          expect(x(timeS)).toBeLessThanOrEqual(right);
        }
      },
    ),
  );
});

test('places a price that never moves in the middle, and has no price scale without prices', () => {
  const { overY, top, bottom } = overlayLayout(line(5, 5), SIZE);

  expect(overY(5)).toBeCloseTo((top + bottom) / 2);
  expect(overlayLayout([], SIZE).ticks).toEqual([]);
});

test('breaks the line where no one voted, and draws a single day alone', () => {
  const layout = overlayLayout([], SIZE);
  const at = (i: number, share: number | null) => ({ timeS: i * 200, share });

  const broken = sharePaths([at(0, 50), at(1, 60), at(2, null), at(3, 40), at(4, 45)], layout);

  expect(broken.line.match(/M/g)).toHaveLength(2);
  expect(broken.area.match(/Z/g)).toHaveLength(2);
  expect(sharePaths([at(0, null), at(1, 60), at(2, null)], layout)).toEqual({ line: '', area: '' });
});

test('begins a path with a move and continues in lines', () => {
  expect(
    linePath(
      line(1, 2),
      (s) => s,
      (value) => value,
    ),
  ).toBe('M0 1L100 2');
});
