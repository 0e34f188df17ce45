import { expect, test } from 'vitest';
import { savingsOf } from './savings.ts';

const LION_CENTS = 6999;

// Amounts due now for 29.99 -> 69.99 with so much of the month left: the figures of the provider's own rule.
test.each([
  ['30 of 30 days left', 4000, 2999, 43],
  ['20 of 30', 2667, 4332, 62],
  ['15 of 30', 2000, 4999, 71],
  ['10 of 30', 1333, 5666, 81],
  ['7 of 28', 1000, 5999, 86],
  ['7 of 31', 903, 6096, 87],
  ['nothing to pay', 0, 6999, 100],
])('computes the savings: %s', (_left, amountDueCents, savedCents, percent) => {
  expect(savingsOf(LION_CENTS, amountDueCents)).toEqual({ savedCents, percent });
});

test('saves nothing for anyone who pays the whole price or more', () => {
  expect(savingsOf(LION_CENTS, LION_CENTS)).toBeNull();
  expect(savingsOf(LION_CENTS, LION_CENTS + 1)).toBeNull();
});
