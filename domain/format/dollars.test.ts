import { expect, test } from 'vitest';
import { dollars } from './dollars.ts';

test.each([
  [0, '$0.00'],
  [5, '$0.05'],
  [2999, '$29.99'],
  [100_000, '$1,000.00'],
  [123_456_789, '$1,234,567.89'],
  [-500, '−$5.00'],
])('writes %i cents as %s', (cents, shown) => {
  expect(dollars(cents)).toBe(shown);
});
