import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../billing/plans.ts';
import { describeLeft, hasLeft, readQuota } from './quota.ts';

describe('the remaining quota', () => {
  test.each([
    ['a number', 7, 7],
    ['numeric text', '7', 7],
    ['no limit', -1, UNLIMITED],
    ['no limit as text', '-1', UNLIMITED],
    ['below -1', -2, 0],
    ['half a prediction', 2.9, 2],
    ["'na'", 'na', 0],
    ["'n/a'", 'n/a', 0],
    ["'none'", 'none', 0],
    ['null', null, 0],
    ['missing', undefined, 0],
    ['not a number', Number.NaN, 0],
    ['endless', Number.POSITIVE_INFINITY, 0],
  ])('reads %s', (_what, value, expected) => {
    expect(readQuota({ ok: true, remaining_daily: value, remaining_monthly: 3 })).toEqual({
      remainingDaily: expected,
      remainingMonthly: 3,
    });
    expect(readQuota({ ok: true, remaining_daily: 3, remaining_monthly: value })).toEqual({
      remainingDaily: 3,
      remainingMonthly: expected,
    });
  });

  test('gives a whole number from 0, or no limit, for any answer', () => {
    const anyLeft = fc.oneof(fc.double(), fc.integer(), fc.string(), fc.constant(null), fc.constant(undefined));
    fc.assert(
      fc.property(anyLeft, anyLeft, (remaining_daily, remaining_monthly) => {
        const quota = readQuota({ ok: true, remaining_daily, remaining_monthly });
        for (const left of [quota.remainingDaily, quota.remainingMonthly])
          expect(Number.isInteger(left) && left >= UNLIMITED).toBe(true);
      }),
    );
  });
});

test.each([
  [1, 1, true],
  [0, 300, false],
  [3, 0, false],
  [0, 0, false],
  [UNLIMITED, 3, true],
  [3, UNLIMITED, true],
  [UNLIMITED, UNLIMITED, true],
  [UNLIMITED, 0, false],
  [0, UNLIMITED, false],
])('allows another prediction with %i left today and %i this month: %s', (daily, monthly, expected) => {
  expect(hasLeft({ remainingDaily: daily, remainingMonthly: monthly })).toBe(expected);
});

test('describes what is left as a number, or as unlimited', () => {
  expect([UNLIMITED, 0, 15].map(describeLeft)).toEqual(['unlimited', '0', '15']);
});
