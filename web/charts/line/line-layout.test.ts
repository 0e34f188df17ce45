import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calendarTicks, type LinePoint, lineLayout, nearestPoint, timeAt } from './line-layout.ts';

const SIZE = { width: 640, height: 280, axisPx: 60, scale: 1 };
const whole = (value: number) => String(Math.round(value));
const at = (date: string) => Date.parse(date) / 1000;

const someLine = fc
  .uniqueArray(fc.integer({ min: 0, max: 2_000_000_000 }), { minLength: 1, maxLength: 60 })
  .chain((times) =>
    fc
      .array(fc.double({ min: 1e-8, max: 1e9, noNaN: true }), { minLength: times.length, maxLength: times.length })
      .map((values) => times.sort((a, b) => a - b).map((timeS, i): LinePoint => ({ timeS, value: values[i] ?? 1 }))),
  );

test('places every point and every tick within the chart, whatever the line', () => {
  fc.assert(
    fc.property(someLine, (points) => {
      const layout = lineLayout(points, SIZE, whole);

      const xs = points.map(({ timeS }) => layout.x(timeS));
      const ys = [...points.map(({ value }) => layout.y(value)), ...layout.values.map(({ at }) => at)];
      expect(Math.min(...xs)).toBeGreaterThanOrEqual(layout.left);
      expect(Math.max(...xs)).toBeLessThanOrEqual(layout.right);
      expect(Math.min(...ys)).toBeGreaterThanOrEqual(layout.top);
      expect(Math.max(...ys)).toBeLessThanOrEqual(layout.bottom);
    }),
  );
});

test('finds the point nearest to a place', () => {
  fc.assert(
    fc.property(someLine, fc.double({ min: -50, max: 700, noNaN: true }), (points, px) => {
      const layout = lineLayout(points, SIZE, whole);

      const found = nearestPoint(points, timeAt(points, layout, px));

      const reach = (point: LinePoint | undefined) => Math.abs(layout.x(point?.timeS ?? 0) - px);
      const best = Math.min(...points.map(reach));
      expect(reach(points[found])).toBeLessThanOrEqual(best + 1e-3);
    }),
  );
});

test('places higher values further up and later ones further right', () => {
  const points = [
    { timeS: 0, value: 10 },
    { timeS: 100, value: 20 },
  ];

  const { x, y } = lineLayout(points, SIZE, whole);

  expect(y(20)).toBeLessThan(y(10));
  expect(x(100)).toBeGreaterThan(x(0));
});

test('places a line that never moves in the middle', () => {
  const { y, top, bottom } = lineLayout(
    [5, 6].map((timeS) => ({ timeS, value: 40_000 })),
    SIZE,
    whole,
  );

  expect(y(40_000)).toBeCloseTo((top + bottom) / 2);
});

test.each([
  ['half a year, by month', '2026-01-15', '2026-06-20', 8, ['Feb', 'Mar', 'Apr', 'May', 'Jun']],
  ['two years, by half', '2025-01-01', '2026-11-21', 5, ['2025', 'Jul', '2026', 'Jul']],
  ['twelve years on a phone', '2015-05-28', '2026-11-21', 3, ['2020', '2025']],
  [
    'a century where one fits',
    '1930-01-01',
    '2029-01-01',
    1,
    ['1930', '1940', '1950', '1960', '1970', '1980', '1990', '2000', '2010', '2020'],
  ],
])('names %s in the calendar', (_what, first, last, most, labels) => {
  expect(calendarTicks(at(first), at(last), most).map(({ label }) => label)).toEqual(labels);
});
