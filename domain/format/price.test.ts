import { expect, test } from 'vitest';
import { formatChange, formatPercent, formatPrice, percentChange, plainPercent } from './price.ts';

test.each([
  [97120.44, 1, '97,120.4'],
  [0.123456, 5, '0.12346'],
  [-3.5, 2, '\u22123.50'],
  [-0.001, 2, '0.00'],
  [Number.NaN, 2, '–'],
])('writes the price %d with %d decimals as %s', (value, decimals, expected) => {
  expect(formatPrice(value, decimals)).toBe(expected);
});

test('changes carry their sign, and what rounds to zero has none', () => {
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
