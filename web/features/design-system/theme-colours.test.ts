import { expect, test } from 'vitest';
import { contrast, type Rgb, rgbOf } from './theme-colours.ts';

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

test.each([
  ['black on white', BLACK, WHITE, 21],
  ['the order does not matter', WHITE, BLACK, 21],
  ['the same colour', WHITE, WHITE, 1],
  ['the grey that just passes on white', [118, 118, 118] as const, WHITE, 4.54],
])('computes the contrast of %s', (_what, a, b, expected) => {
  expect(contrast(a, b)).toBeCloseTo(expected, 2);
});

test.each([
  ['#f2b441', [242, 180, 65]],
  ['rgb(255 255 255 / 50%)', [127.5, 127.5, 127.5]],
  ['var(--accent)', null],
  ['0 12px 32px', null],
])('composes %s over black to %s', (value, expected) => {
  expect(rgbOf(value, BLACK)).toEqual(expected);
});
