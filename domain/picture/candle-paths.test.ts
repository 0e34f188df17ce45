import { expect, test } from 'vitest';
import { areaPath, candlePaths } from './candle-paths.ts';

const PLACE = { left: 5, step: 10, bodyWidth: 4, yOf: (price: number) => 100 - price };

test('draws a rising and a falling candle on separate paths, wicks from body to high and low', () => {
  const paths = candlePaths(
    [
      { open: 20, high: 50, low: 10, close: 40 },
      { open: 40, high: 40, low: 15, close: 30 },
    ],
    PLACE,
  );

  expect(paths).toEqual({
    upBodies: 'M3 60h4v20h-4z',
    upWicks: 'M5 50V60M5 80V90',
    downBodies: 'M13 60h4v10h-4z',
    downWicks: 'M15 70V85',
  });
});

test('draws an unchanged minute as a visible line', () => {
  const { upBodies } = candlePaths([{ open: 20, high: 20, low: 20, close: 20 }], PLACE);

  expect(upBodies).toBe('M3 80h4v0.6h-4z');
});

test('draws an area along its upper line and back along its lower one, and nothing without points', () => {
  const upper = [
    { x: 0, y: 1 },
    { x: 2, y: 0.04 },
  ];
  const lower = [
    { x: 0, y: 3 },
    { x: 2, y: 4 },
  ];

  expect(areaPath(upper, lower)).toBe('M0 1L2 0L2 4L0 3Z');
  expect(areaPath([], [])).toBe('');
});
