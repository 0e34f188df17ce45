import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDayTotals, readRenewals, renewals, revenueCents } from './renewals.ts';
import { aPayingUser, NOON_MS, PRICES } from './testing/admin-fixtures.ts';

/** Of noon: half a day is left of today. */
const TODAY = '2026-11-20';

test('31 days from today, each with what renews on it', () => {
  const users = [
    aPayingUser('this morning', 'price_b', -0.5),
    aPayingUser('tonight', 'price_b', 0.499),
    aPayingUser('tomorrow', 'price_l', 0.5),
    aPayingUser('last day', 'price_l', 30.49),
    aPayingUser('a day too late', 'price_l', 30.5),
    aPayingUser('yesterday', 'price_l', -0.51),
  ];

  const days = renewals(users, PRICES, NOON_MS);

  expect(days).toHaveLength(31);
  expect(days[0]).toEqual({ day: TODAY, bobcat: 2, lion: 0 });
  expect(days[1]).toEqual({ day: '2026-11-21', bobcat: 0, lion: 1 });
  expect(days[30]).toEqual({ day: '2026-12-20', bobcat: 0, lion: 1 });
  expect(days.reduce((sum, { bobcat, lion }) => sum + bobcat + lion, 0)).toBe(4);
});

test.each([
  ['cancelling', { cancel_at_period_end: true }],
  ['past due', { status: 'past_due' }],
  ['trialing', { status: 'trialing' }],
  ['of an unknown price', { price_id: 'price_x' }],
  ['without an end', { current_period_end: null }],
])('one that is %s does not count', (_what, columns) => {
  const days = renewals([aPayingUser('u', 'price_b', 3, columns)], PRICES, NOON_MS);

  expect(revenueCents(days)).toBe(0);
});

test('revenue is exact to the cent, however many renew', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (bobcat, lion) => {
      expect(revenueCents([{ day: TODAY, bobcat, lion }])).toBe(bobcat * 2999 + lion * 6999);
    }),
  );
});

test('rows of the server: what has no day is left out', () => {
  expect(readRenewals([{ day: TODAY, bobcat: 1, lion: 2 }, { bobcat: 1 }, null])).toEqual([
    { day: TODAY, bobcat: 1, lion: 2 },
  ]);
  expect(readRenewals(null)).toEqual([]);
});

test('totals come oldest first, one a day, whatever the form of the day', () => {
  const rows = [
    { day: '2026-11-20T00:00:00+00:00', total: 3 },
    { day: '2026-11-19', total: 0 },
    { day: 'x', total: 1 },
    { total: 1 },
  ];

  expect(readDayTotals(rows)).toEqual([
    { day: '2026-11-19', total: 0 },
    { day: TODAY, total: 3 },
  ]);
});
