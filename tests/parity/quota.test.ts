/**
 * The quota's figures and windows in SQL compared with the product's own tables: plans, UTC days, billing periods.
 */
import { describe, expect, test } from 'vitest';
import { PLAN_NAMES, PLANS } from '#domain/billing/plans.ts';
import { GRACE_S } from '#domain/billing/subscription.ts';
import { readQuota } from '#domain/forecast/quota.ts';
import { openEntitlements } from '../../server/billing/entitlements.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { aUser, subscribe } from '../support/worlds/prediction-world.ts';
import { openQuotaBooks } from '../support/worlds/quota-books.ts';
import { aReservation } from '../support/worlds/reservations.ts';

const at = (iso: string): number => Date.parse(iso);

// Runs on both kinds, because the windows of days and months are SQL, with dates and time zones.
describeEachDatabase('quota', (kind) => {
  const books = openedForTests(() => openQuotaBooks(kind));

  function setClock(iso: string): void {
    books().clock.offsetMs = at(iso) - Date.now();
  }

  async function reserveAt(userId: string, iso: string, minute: number): Promise<void> {
    setClock(iso);
    const wanted = aReservation(userId, minute);
    await books().store.reserve(wanted);
    await books().store.markCandlesSent(wanted.id, 50);
  }

  test.each(PLAN_NAMES)("gives a new %s user the plan's figures", async (plan) => {
    books().clock.offsetMs = 0;
    const { id } = await aUser(books().database, plan);

    const quota = await books().store.quotaOf(id);
    const entitlement = await openEntitlements({ database: books().database }).of(id);

    expect(quota).toEqual({
      plan,
      isAdmin: false,
      remainingDaily: PLANS[plan].perDay,
      remainingMonthly: PLANS[plan].perMonth,
    });
    expect(entitlement).toEqual({ plan, isAdmin: false, models: [...PLANS[plan].models] });
  });

  test('gives an admin every model and no number, which the page reads as 0 left', async () => {
    books().clock.offsetMs = 0;
    const { id } = await aUser(books().database, 'admin');

    const quota = await books().store.quotaOf(id);
    const entitlement = await openEntitlements({ database: books().database }).of(id);

    expect(quota).toEqual({ plan: 'free', isAdmin: true, remainingDaily: null, remainingMonthly: null });
    expect(readQuota({ ok: true, remaining_daily: null, remaining_monthly: null })).toEqual({
      remainingDaily: 0,
      remainingMonthly: 0,
    });
    expect(new Set(entitlement.models)).toEqual(new Set(PLANS.lion.models));
  });

  test.each([
    ['a day', 'per_day', { remainingDaily: -1, remainingMonthly: 58 }],
    ['a month', 'per_month', { remainingDaily: 8, remainingMonthly: -1 }],
  ] as const)('treats -1 as no limit %s, whatever was used, also on the page', async (_which, column, left) => {
    books().clock.offsetMs = 0;
    const limits = (value: number) =>
      books().database.query(OWNER, `update private.plan_limits set ${column} = $1 where plan = 'bobcat'`, [value]);
    const { id } = await aUser(books().database, 'bobcat');
    await limits(-1);
    try {
      for (const minute of [1, 2]) {
        const wanted = aReservation(id, minute);
        await books().store.reserve(wanted);
        await books().store.markCandlesSent(wanted.id, 50);
      }

      const { remainingDaily, remainingMonthly } = await books().store.quotaOf(id);

      expect({ remainingDaily, remainingMonthly }).toEqual(left);
      expect(readQuota({ ok: true, remaining_daily: remainingDaily, remaining_monthly: remainingMonthly })).toEqual(
        left,
      );
    } finally {
      await limits(column === 'per_day' ? PLANS.bobcat.perDay : PLANS.bobcat.perMonth);
    }
  });

  test('refuses a limit below -1', async () => {
    const limit = books().database.query(OWNER, "update private.plan_limits set per_day = -2 where plan = 'bobcat'");

    await expect(limit).rejects.toThrow('plan_limits_per_day_check');
  });

  test('ends the day at midnight UTC', async () => {
    const { id } = await aUser(books().database, 'free');
    await subscribe(
      books().database,
      id,
      'bobcat',
      at('2026-03-01T00:00:00Z') / 1000,
      at('2026-04-01T00:00:00Z') / 1000,
    );
    await reserveAt(id, '2026-03-10T23:59:50Z', 1);
    const before = await books().store.quotaOf(id);

    setClock('2026-03-11T00:00:01Z');
    const after = await books().store.quotaOf(id);

    expect(before).toMatchObject({ remainingDaily: 9, remainingMonthly: 59 });
    expect(after).toMatchObject({ remainingDaily: 10, remainingMonthly: 59 });
  });

  describe('the month', () => {
    const NEVER = null;

    test.each([
      // case, period start, period end, overrides, used at, requested at, monthly left
      ['is the billing period', '2026-03-10', '2026-04-10', {}, '2026-03-31T12:00Z', '2026-04-01T12:00Z', 59],
      [
        'forgets what was used in the period before',
        '2026-04-10',
        '2026-05-10',
        {},
        '2026-04-09T23:00Z',
        '2026-04-10T01:00Z',
        60,
      ],
      [
        'runs on when the renewal is late',
        '2026-03-10',
        '2026-04-10',
        {},
        '2026-03-31T12:00Z',
        '2026-04-10T00:01Z',
        60,
      ],
      [
        'counts in the period that runs on',
        '2026-03-10',
        '2026-04-10',
        {},
        '2026-04-10T00:01Z',
        '2026-04-12T00:01Z',
        59,
      ],
      ['runs on by whole months', '2026-01-31', '2026-02-28', {}, '2026-03-27T12:00Z', '2026-03-28T12:00Z', 60],
      [
        'is not renewed in the grace of a plan that ends',
        '2026-03-10',
        '2026-04-10',
        { cancelAtPeriodEnd: true },
        '2026-03-31T12:00Z',
        '2026-04-10T01:00Z',
        59,
      ],
      ['is the calendar month in UTC without a period', NEVER, NEVER, {}, '2026-03-31T23:59Z', '2026-04-01T00:01Z', 60],
      ['counts the calendar month without a period', NEVER, NEVER, {}, '2026-04-01T00:01Z', '2026-04-30T23:58Z', 59],
    ] as const)('%s', async (_what, start, end, over, usedAt, readAt, monthlyLeft) => {
      const { id } = await aUser(books().database, 'free');
      const toS = (day: string | null) => (day === null ? null : at(`${day}T00:00:00Z`) / 1000);
      await subscribe(books().database, id, 'bobcat', toS(start), toS(end), over);
      await reserveAt(id, usedAt.replace('Z', ':00Z'), 1);

      setClock(readAt.replace('Z', ':00Z'));

      expect(await books().store.quotaOf(id)).toMatchObject({ plan: 'bobcat', remainingMonthly: monthlyLeft });
    });

    test('ends plan and quota with the grace period', async () => {
      const { id } = await aUser(books().database, 'free');
      const endS = at('2026-04-10T00:00:00Z') / 1000;
      await subscribe(books().database, id, 'lion', endS - 31 * 86_400, endS, { status: 'canceled' });

      setClock(new Date((endS + GRACE_S - 60) * 1000).toISOString());
      const within = await books().store.quotaOf(id);
      setClock(new Date((endS + GRACE_S) * 1000).toISOString());
      const after = await books().store.quotaOf(id);

      expect(within).toMatchObject({ plan: 'lion', remainingDaily: 15, remainingMonthly: 300 });
      expect(after).toMatchObject({ plan: 'free', remainingDaily: 0, remainingMonthly: 0 });
    });

    test('reports a spent month while the day still has a remainder', async () => {
      const { id } = await aUser(books().database, 'bobcat');
      books().clock.offsetMs = 0;
      await books().database.query(
        OWNER,
        `insert into private.prediction_reservations (id, user_id, model, model_version, exc, sym, label, t0, state, created_at, expires_at)
         select gen_random_uuid(), $1, 'kat1', '1', 'BINANCE', 'BTCUSDT.P', 'BTC', n * 60, 'spent', now() - interval '2 days', now()
           from generate_series(1, 60) n`,
        [id],
      );

      await expect(books().store.reserve(aReservation(id, 1))).rejects.toThrow('quota/monthly-spent');
      expect(await books().store.quotaOf(id)).toMatchObject({ remainingDaily: 10, remainingMonthly: 0 });
    });
  });
});
