import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDayTotals, readQuotaPoints, readRenewals, readSummary, revenueCents } from './figures.ts';

const TODAY = '2026-11-20';

test('reads the row of the summary', () => {
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

test('computes revenue to the exact cent, however many renew', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(100_000), (bobcat, lion) => {
      expect(revenueCents([{ day: TODAY, bobcat, lion }])).toBe(bobcat * 2999 + lion * 6999);
    }),
  );
});

test('drops rows of the server without a day', () => {
  expect(readRenewals([{ day: TODAY, bobcat: 1, lion: 2 }, { bobcat: 1 }, null])).toEqual([
    { day: TODAY, bobcat: 1, lion: 2 },
  ]);
  expect(readRenewals(null)).toEqual([]);
});

test('lists totals oldest first, one a day, whatever the form of the day', () => {
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

test('places a point 31 minus the days until the end, and shows only the thirty days', () => {
  const at = (plan_tier: string, days_until_end: number, remaining_monthly = 5) => ({
    plan_tier,
    days_until_end,
    remaining_monthly,
  });

  const { points, outside } = readQuotaPoints([
    at('bobcat', 31),
    at('Lion', 1),
    at('lion', 0),
    at('bobcat', 40),
    at('free', 3),
    { plan_tier: 'lion' },
  ]);

  expect(points).toEqual([
    { plan: 'bobcat', elapsedDays: 0, remaining: 5 },
    { plan: 'lion', elapsedDays: 30, remaining: 5 },
  ]);
  expect(outside).toBe(2);
});

test('reads the summary of a server that answers with the row alone', () => {
  expect(readSummary({ total_users: 3, paid: 'many' })).toMatchObject({ totalUsers: 3, paid: 0, latestStartMs: null });
});

test('shows nothing for an answer without rows', () => {
  const refusal = { message: 'permission denied' };
  expect(readDayTotals(refusal)).toEqual([]);
  expect(readQuotaPoints(refusal)).toEqual({ points: [], outside: 0 });
});
