import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prorate, settle } from './money.ts';

const DAY = 86_400;

function spanOf(days: number, leftDays: number) {
  return { periodStartS: 1000, periodEndS: 1000 + days * DAY, changedAtS: 1000 + (days - leftDays) * DAY };
}

describe('an upgrade from 29.99 to 69.99', () => {
  test.each([
    [30, 30, -2999, 6999, 4000],
    [30, 20, -1999, 4666, 2667],
    [30, 15, -1500, 3500, 2000],
    [30, 10, -1000, 2333, 1333],
    [28, 7, -750, 1750, 1000],
    [31, 7, -677, 1580, 903],
  ])('in a period of %i days with %i left', (days, left, credit, debit, due) => {
    const { creditCents, debitCents } = prorate(2999, 6999, spanOf(days, left));

    expect([creditCents, debitCents]).toEqual([credit, debit]);
    expect(settle(creditCents + debitCents, 0).dueCents).toBe(due);
  });
});

const cents = fc.integer({ min: 0, max: 10_000_000 });
const seconds = fc.integer({ min: 1, max: 366 * DAY });

test('a line is a whole number, at most half a cent from its exact share', () => {
  fc.assert(
    fc.property(cents, cents, seconds, seconds, (oldCents, newCents, length, before) => {
      const changedAtS = Math.min(before, length);
      const { creditCents, debitCents } = prorate(oldCents, newCents, {
        periodStartS: 0,
        periodEndS: length,
        changedAtS,
      });
      const share = (length - changedAtS) / length;

      expect(Number.isSafeInteger(creditCents) && Number.isSafeInteger(debitCents)).toBe(true);
      expect(Math.abs(creditCents + oldCents * share)).toBeLessThanOrEqual(0.500001);
      expect(Math.abs(debitCents - newCents * share)).toBeLessThanOrEqual(0.500001);
    }),
  );
});

test('the same price costs nothing, whenever it is changed', () => {
  fc.assert(
    fc.property(cents, seconds, seconds, (price, length, changedAtS) => {
      const { creditCents, debitCents } = prorate(price, price, { periodStartS: 0, periodEndS: length, changedAtS });

      expect(creditCents + debitCents).toBe(0);
    }),
  );
});

test('nothing is lost between what is due, the balance before and after', () => {
  const sum = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(sum, sum, (total, balance) => {
      const { dueCents, endingBalanceCents } = settle(total, balance);

      expect(dueCents + endingBalanceCents).toBe(total + balance);
      expect(dueCents).toBeGreaterThanOrEqual(0);
      expect(endingBalanceCents).toBeLessThanOrEqual(0);
    }),
  );
});
