/** The reports' own copies of rules agree with the rules, over generated customers, clocks and limits. */
import { expect, test } from 'vitest';
import { ADMIN_USER_COLUMNS, displayStatus, lastActivityMs, readAdminUsers } from '#domain/admin/admin-user.ts';
import { readRenewals, readSummary } from '#domain/admin/figures.ts';
import { planOf } from '#domain/billing/entitlement.ts';
import { DEFAULT_PRICE_IDS, type PlanName, type PriceTable } from '#domain/billing/plans.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const USERS = 150;
const PRICES: PriceTable = new Map<string, Exclude<PlanName, 'free'>>([
  [DEFAULT_PRICE_IDS.bobcat, 'bobcat'],
  [DEFAULT_PRICE_IDS.lion, 'lion'],
]);
const DAY_MS = 86_400_000;

/** A pseudo-random number from 0 that is the same each time. */
const some = (of: string, salt: string) => `('x' || substr(md5(${of} || '${salt}'), 1, 7))::bit(28)::int`;
const oneOf = (values: readonly string[], of: string, salt: string) =>
  `(array[${values.join(', ')}])[1 + ${some(of, salt)} % ${values.length}]`;

const STATUSES = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete', 'incomplete_expired'];
/** Seconds from now: within and past the grace period, today, a month and half a year late, and in the future. */
const ENDS = [
  'null',
  '0',
  '-7100',
  '-7300',
  '-7200',
  '-86400 * 33',
  '-86400 * 190',
  '3600',
  '86400 * 12',
  '86400 * 30',
];

const CROWD_SQL = `
insert into auth.users (id, email) select md5('user' || n)::uuid, 'user' || n || '@example.com' from generate_series(1, ${USERS}) n;
update public.profiles p set role = 'admin'
  from generate_series(1, ${USERS}, 17) n where p.id = md5('user' || n)::uuid;
insert into public.stripe_customers (user_id, customer_id, mode)
select md5('user' || n)::uuid, case when n % 19 = 0 then null else 'cus_' || n end, case when n % 13 = 0 then 'live' else 'sandbox' end
  from generate_series(1, ${USERS}) n where n % 5 > 0;
insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_start,
  current_period_end, cancel_at_period_end, stripe_created)
select 'sub_' || k.key, 'cus_' || n,
       ${oneOf(["'price_kat_bobcat_monthly'", "'price_kat_lion_monthly'", "'price_else'", 'null'], 'k.key', 'price')},
       ${oneOf(
         STATUSES.map((status) => `'${status}'`),
         'k.key',
         'status',
       )},
       case when ${some('k.key', 'start')} % 6 > 0 then k.now + coalesce(k.ends, 0) - 86400 * 30 end, k.now + k.ends,
       ${some('k.key', 'flag')} % 3 = 0, k.now - ${some('k.key', 'made')} % 3
  from generate_series(1, ${USERS}) n
  cross join generate_series(1, 4) again
  cross join lateral (
    select n || '_' || again as key, extract(epoch from now())::bigint as now, ${oneOf(ENDS, `(n || '_' || again)`, 'end')} as ends
  ) k
 where again <= ${some('n::text', 'how many')} % 5;
insert into private.kept_forecasts (id, history, forecast, start, created_at)
select md5('kept')::uuid, jsonb_agg(n) filter (where n <= 150), jsonb_agg(n) filter (where n > 150), '{}', now() from generate_series(1, 200) n;
insert into private.prediction_reservations
  (id, user_id, model, model_version, exc, sym, label, t0, kept_forecast, state, created_at, expires_at)
select gen_random_uuid(), md5('user' || n)::uuid, 'kat1', '1', 'x', 'S', 'BTC', again, md5('kept')::uuid,
       ${oneOf(["'reserved'", "'spent'", "'spent'", "'released'", "'returned'"], `(n || '_' || again)`, 'state')},
       now() - (power(again / 60.0, 3) * 70 - 0.01) * interval '1 day', now()
  from generate_series(1, ${USERS}) n cross join generate_series(1, 60) again where again <= ${some('n::text', 'taken')} % 61;`;

// Runs on both kinds, because the reports repeat rules in SQL, with dates and time zones.
describeEachDatabase('admin reports', (kind) => {
  const opened = openedForTests(async () => {
    const clock = { offsetMs: 0 };
    const database = await openTestDatabase(kind, {
      clockOffsetMs: () => clock.offsetMs,
      callerLimitMs: 30_000,
      statementLimitMs: 30_000,
    });
    const chief = await createDatabaseUser(database, 'chief@example.com');
    await database.query(OWNER, "update public.profiles set role = 'admin' where id = $1", [chief.id]);
    await database.transaction(OWNER, (tx) => tx.query(CROWD_SQL), { statementLimitMs: 0 });
    return { database, clock, chief, close: () => database.close() };
  });

  test('show the same subscription as every other page', async () => {
    const { database, chief } = opened();
    const columns = 'price_id, status, current_period_start, current_period_end, cancel_at_period_end';
    const listed = await database.query(
      chief.caller,
      `select id, ${columns} from public.admin_list_users() order by id`,
    );
    const shown = await database.query(
      OWNER,
      `select p.id, ${columns} from public.profiles p left join public.stripe_user_subscriptions s on s.user_id = p.id order by p.id`,
    );

    expect(listed).toHaveLength(USERS + 1);
    expect(new Set(listed.map(({ status }) => status))).toEqual(new Set([...STATUSES, null]));
    expect(listed).toEqual(shown);
  });

  test.for<[string, number, 'lion' | null]>([
    ['now', 0, null],
    ['in another part of the day', 0.5 * DAY_MS, null],
    ['with renewals that are months late', 100 * DAY_MS, null],
    ['earlier in the month', -20 * DAY_MS, null],
    ['where a plan has no limit', 0, 'lion'],
  ])('report the quota that applies, %s', async ([_when, offsetMs, unlimited]) => {
    const { database, clock, chief } = opened();
    const limit = 'update private.plan_limits set per_day = $1, per_month = $2 where plan = $3';
    if (unlimited !== null) await database.query(OWNER, limit, [-1, -1, unlimited]);
    clock.offsetMs = offsetMs;
    const counted = () =>
      database.query(
        OWNER,
        `select p.id as user_id, q.plan as plan_tier, q.remaining_daily, q.remaining_monthly
           from public.profiles p, private.quota_of(p.id) q order by p.id`,
      );

    // A period or its grace may end between two queries.
    const before = await counted();
    const reported = await database.query(
      chief.caller,
      'select user_id, plan_tier, remaining_daily, remaining_monthly from public.admin_remaining_daily() order by user_id',
    );
    const after = await counted();
    clock.offsetMs = 0;
    if (unlimited !== null) await database.query(OWNER, limit, [15, 300, unlimited]);

    const isSame = (row: unknown, other: unknown) => JSON.stringify(row) === JSON.stringify(other);
    expect(reported).toEqual(reported.map((row, at) => (isSame(row, before[at]) ? before[at] : after[at])));
    expect(reported).toHaveLength(after.length);
    expect(new Set(reported.map((row) => row.plan_tier))).toEqual(new Set(['free', 'bobcat', 'lion']));
    expect(new Set(reported.map((row) => row.remaining_monthly)).size).toBeGreaterThan(15);
    expect(reported.some((row) => row.remaining_monthly === -1)).toBe(unlimited !== null);
  });

  test.for<[string, number]>([
    ['now', 0],
    ['months later', 100 * DAY_MS],
    ['half a month earlier', -15 * DAY_MS],
  ])('count the cards and the renewals of the rows, %s', async ([_when, offsetMs]) => {
    const { database, clock, chief } = opened();
    clock.offsetMs = offsetMs;
    const count = async () => {
      const nowMs = Date.now() + offsetMs;
      const rows = await database.query<SubscriptionRow>(
        chief.caller,
        `select price_id, status, cancel_at_period_end, current_period_start::float, current_period_end::float
           from public.admin_list_users()`,
      );
      return { summary: summaryOf(rows, nowMs), renewals: renewalsOf(rows, nowMs) };
    };

    // A period or its grace may end between two queries.
    const before = await count();
    const summary = readSummary(await database.query(chief.caller, 'select * from public.admin_summary()'));
    const renewals = readRenewals(
      await database.query(chief.caller, 'select day::text, bobcat, lion from public.admin_renewals()'),
    );
    const after = await count();
    clock.offsetMs = 0;

    expect([before.summary, after.summary]).toContainEqual(summary);
    expect([before.renewals, after.renewals]).toContainEqual(renewals);
    expect(summary.totalUsers).toBe(USERS + 1);
    expect(summary.paid).toBeGreaterThan(5);
  });

  test('order the list by the plan, status, name and last activity that its rows show', async () => {
    const { database, chief } = opened();
    const rows = await database.query(
      chief.caller,
      `select ${ADMIN_USER_COLUMNS.join(', ')}, price_id, status_order::text, name_order, last_activity_at::text
         from public.admin_list_users()`,
    );
    const users = readAdminUsers(rows);

    expect(users).toHaveLength(rows.length);
    for (const [at, user] of users.entries()) {
      const row = rows[at] ?? {};
      const status = displayStatus(user);
      const isRanked = { active: 0, cancels: (user.periodEndMs ?? 0) / 1000, free: 2 ** 63 }[status.kind];
      expect(Number(row.status_order)).toBe(isRanked);
      expect(user.plan).toBe(PRICES.get(String(row.price_id)) ?? 'free');
      expect(row.name_order).toBe(user.fullName?.trim().toLowerCase() || null);
      const activity = row.last_activity_at === null ? null : Date.parse(String(row.last_activity_at));
      expect(activity).toBe(lastActivityMs(user));
    }
    expect(new Set(users.map((user) => displayStatus(user).kind)).size).toBe(3);
  });

  test('remember when a user last saved a prediction, in whatever order the rows came', async () => {
    const { database, chief } = opened();
    const save = `insert into public.user_predictions (user_id, cryptocurrency, model, created_at, data)
      select $1::uuid, 'BTC', 'kat1', moment::timestamptz, (select jsonb_agg(n) from generate_series(1, 200) n)
        from unnest($2::text[]) moment`;
    const last = async () => {
      const [row] = await database.query<{ last: string }>(
        chief.caller,
        'select last_prediction_at as last from public.admin_list_users() where id = $1',
        [chief.id],
      );
      return row?.last;
    };
    expect(await last()).toBeNull();
    await database.query(OWNER, save, [chief.id, ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z']]);
    expect(await last()).toBe('2026-01-03T00:00:00+00:00');
    await database.query(OWNER, save, [chief.id, ['2026-01-01T00:00:00Z']]);
    expect(await last()).toBe('2026-01-03T00:00:00+00:00');
    await database.query(OWNER, save, [chief.id, ['2026-01-04T00:00:00Z']]);
    await database.query(OWNER, 'delete from public.user_predictions where user_id = $1', [chief.id]);
    expect(await last()).toBe('2026-01-04T00:00:00+00:00');
  });
});

type SubscriptionRow = {
  price_id: string | null;
  status: string | null;
  cancel_at_period_end: boolean | null;
  current_period_start: number | null;
  current_period_end: number | null;
};

/** The cards, counted from the rows by the product's own rule of who pays. */
function summaryOf(rows: readonly SubscriptionRow[], nowMs: number) {
  const paying = rows.flatMap((row) => {
    const plan = planOf(row, PRICES, nowMs / 1000);
    return plan === 'free' ? [] : [{ ...row, plan }];
  });
  const starts = paying.flatMap(({ current_period_start }) => current_period_start ?? []);
  return {
    totalUsers: rows.length,
    paid: paying.length,
    lion: paying.filter(({ plan }) => plan === 'lion').length,
    bobcat: paying.filter(({ plan }) => plan === 'bobcat').length,
    active: paying.filter(({ cancel_at_period_end }) => !cancel_at_period_end).length,
    canceling: rows.filter((row) => row.cancel_at_period_end && row.current_period_end !== null).length,
    latestStartMs: starts.length === 0 ? null : Math.max(...starts) * 1000,
  };
}

/** 31 days from today in UTC: subscriptions to Bobcat and Lion that are active, not cancelling and end on the day. */
function renewalsOf(rows: readonly SubscriptionRow[], nowMs: number) {
  const renewing = rows.filter(({ status, cancel_at_period_end }) => status === 'active' && !cancel_at_period_end);
  return Array.from({ length: 31 }, (_, after) => {
    const day = new Date(nowMs + after * DAY_MS).toISOString().slice(0, 10);
    const ending = renewing.filter(
      ({ current_period_end: endS }) => endS !== null && new Date(endS * 1000).toISOString().startsWith(day),
    );
    const ofPlan = (plan: PlanName) => ending.filter(({ price_id }) => PRICES.get(price_id ?? '') === plan).length;
    return { day, bobcat: ofPlan('bobcat'), lion: ofPlan('lion') };
  });
}
