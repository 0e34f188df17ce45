import { expect, test } from 'vitest';
import {
  decimalsOf,
  formatChange,
  formatFixed,
  formatPercent,
  formatPrice,
  percentChange,
  plainPercent,
} from './price.ts';

test.each([
  [97120.44, 1, '97,120.4'],
  [0.123456, 5, '0.12346'],
  [-3.5, 2, '\u22123.50'],
  [-0.001, 2, '0.00'],
  [Number.NaN, 2, '–'],
  [0.00001234, 8, '0.00001234'],
  [0.000008121, 9, '0.0₅8121'],
  [1.7512e-7, 11, '0.0₆17512'],
  [-1.7512e-7, 11, '\u22120.0₆17512'],
  [1.751e-7, 11, '0.0₆17510'],
  [9.9996e-6, 8, '0.00001000'],
  [1e-15, 15, '0.0₁₄1'],
  [10.000001, 6, '10.000001'],
  [0, 5, '0.00000'],
  [0, 11, '0.00000000000'],
  [1e-14, 8, '0.00000000'],
])('writes the price %d with %d decimals as %s', (value, decimals, expected) => {
  expect(formatPrice(value, decimals)).toBe(expected);
});

test('writes every zero where a price is edited', () => {
  expect(formatFixed(1.7512e-7, 11)).toBe('0.00000017512');
});

test.each([
  [250, 0],
  [0.25, 2],
  [0, 0],
  [-0.5, 1],
  [8.5e-7, 8],
  [1e-11, 11],
  [0.1 + 0.2, 1],
  [1.5e21, 0],
])('counts the decimals of %d as %d', (value, expected) => {
  expect(decimalsOf(value)).toBe(expected);
});

test('changes carry their sign, and what rounds to zero has none', () => {
  expect(formatChange(1.2e-9, 11)).toBe('+0.0₈120');
  expect([formatChange(1.25, 1), formatChange(-1.25, 1), formatChange(0.0001, 2)]).toEqual([
    '+1.3',
    '\u22121.3',
    '0.00',
  ]);
});

test('writes a percentage without a space, and a change with its sign', () => {
  expect(plainPercent(62.54, 1)).toBe('62.5%');
  expect(plainPercent(-1234.5, 0)).toBe('\u22121,235%');
  expect([percentChange(0.42), percentChange(-0.42, 1), percentChange(0.0001)]).toEqual([
    '+0.42%',
    '\u22120.4%',
    '0.00%',
  ]);
  expect(formatPercent(-0.0042)).toBe('\u22120.42%');
});
