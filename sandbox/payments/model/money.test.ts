import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prorate, settle } from './money.ts';

const DAY = 86_400;
const cents = fc.integer({ min: 0, max: 10_000_000 });
const seconds = fc.integer({ min: 1, max: 366 * DAY });

/** Whether whole cents are an exact share, half a cent counting up: in whole numbers, so that no float decides. */
function isRounded(whole: number, price: number, [part, total]: readonly [number, number]): boolean {
  const twice = 2n * BigInt(price) * BigInt(part);
  return (2n * BigInt(whole) - 1n) * BigInt(total) <= twice && twice < (2n * BigInt(whole) + 1n) * BigInt(total);
}

test('prorates by the second and rounds each line alone, half a cent away from zero', () => {
  fc.assert(
    fc.property(cents, cents, seconds, seconds, (oldCents, newCents, length, before) => {
      const changedAtS = Math.min(before, length);
      const span = { periodStartS: 0, periodEndS: length, changedAtS };
      const { creditCents, debitCents } = prorate(oldCents, newCents, span);
      const share = [length - changedAtS, length] as const;

      expect(isRounded(-creditCents, oldCents, share)).toBe(true);
      expect(isRounded(debitCents, newCents, share)).toBe(true);
    }),
  );
  expect(prorate(2999, 6999, { periodStartS: 0, periodEndS: 2, changedAtS: 1 })).toEqual({
    creditCents: -1500,
    debitCents: 3500,
  });
});

test('loses nothing between the due sum and the balance, and never charges while credit remains', () => {
  const sum = fc.integer({ min: -1_000_000, max: 1_000_000 });
  fc.assert(
    fc.property(sum, sum, (total, balance) => {
      const { dueCents, endingBalanceCents } = settle(total, balance);

      expect(dueCents + endingBalanceCents).toBe(total + balance);
      expect(dueCents).toBeGreaterThanOrEqual(0);
      expect(endingBalanceCents).toBeLessThanOrEqual(0);
      expect(dueCents > 0 && endingBalanceCents < 0).toBe(false);
    }),
  );
});
