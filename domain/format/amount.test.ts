import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatAmount } from './amount.ts';
import { formatFixed } from './price.ts';

test.each([
  [0.5321, 4, '0.5321'],
  [0, 4, '0.0000'],
  [0.00004, 4, '0.00004'],
  [0.000012345, 4, '0.00001'],
  [1e-8, 4, '0.00000001'],
  [-1e-8, 4, '\u22120.00000001'],
  [0.4, 0, '0.4'],
  [1e-12, 4, '1e-12'],
  [-1e-12, 4, '\u22121e-12'],
  [12_345.6, 0, '12,346'],
  [Number.NaN, 4, '–'],
])('writes %d with %d decimals as %s', (value, decimals, expected) => {
  expect(formatAmount(value, decimals)).toBe(expected);
});

test('shows a digit of every amount but zero, within ten characters, and is the fixed figure where that shows one', () => {
  const small = fc.double({ min: 1e-15, max: 1, noNaN: true });
  fc.assert(
    fc.property(small, fc.integer({ min: 0, max: 8 }), (value, decimals) => {
      const text = formatAmount(value, decimals);
      const fixed = formatFixed(value, decimals);

      expect(text).toMatch(/[1-9]/);
      expect(text.length).toBeLessThanOrEqual(10);
      if (/[1-9]/.test(fixed)) expect(text).toBe(fixed);
    }),
  );
});
