import { expect, test } from 'vitest';
import { readSummary, summarise } from './summary.ts';
import { aPayingUser, aUser, NOON_MS, PRICES } from './testing/admin-fixtures.ts';

test('paid, active and cancelling are counted by their own rules', () => {
  const users = [
    aUser('free'),
    aPayingUser('active', 'price_b', 10),
    aPayingUser('due', 'price_l', -3, { status: 'past_due', current_period_start: NOON_MS / 1000 - 60 }),
    aPayingUser('canceling', 'price_l', 4, { cancel_at_period_end: true }),
    aPayingUser('gone', 'price_l', -9, {
      status: 'canceled',
      cancel_at_period_end: true,
      current_period_start: 1.99e9,
    }),
    aPayingUser('endless', 'price_b', 4, { cancel_at_period_end: true, current_period_end: null }),
    aPayingUser('unknown price', 'price_x', 4),
  ];

  expect(summarise(users, PRICES, NOON_MS)).toEqual({
    totalUsers: 7,
    paid: 4,
    lion: 2,
    bobcat: 2,
    active: 2,
    canceling: 2,
    latestStartMs: NOON_MS - 60_000,
  });
});

test('nobody who pays: no latest start', () => {
  expect(summarise([aUser('a')], PRICES, NOON_MS).latestStartMs).toBeNull();
  expect(summarise([], PRICES, NOON_MS)).toMatchObject({ totalUsers: 0, paid: 0 });
});

test('the server’s row says the same in its own words', () => {
  const row = {
    total_users: 9,
    paid: 4,
    lion: 1,
    bobcat: 3,
    active: 2,
    canceling: 1,
    latest_period_start: 1_763_600_000,
  };

  expect(readSummary([row])).toEqual({
    totalUsers: 9,
    paid: 4,
    lion: 1,
    bobcat: 3,
    active: 2,
    canceling: 1,
    latestStartMs: 1_763_600_000_000,
  });
  expect(readSummary([{ ...row, latest_period_start: null }]).latestStartMs).toBeNull();
  expect(() => readSummary([])).toThrow();
});
