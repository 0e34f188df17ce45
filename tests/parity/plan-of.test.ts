/** The database and the page give the same plan at every boundary. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deriveEntitlement, planOf } from '../../domain/billing/entitlement.ts';
import { DEFAULT_PRICE_IDS, PLANS, type PriceTable, priceTableOf } from '../../domain/billing/plans.ts';
import type { SubscriptionRow } from '../../domain/billing/subscription.ts';
import { MODELS } from '../../domain/forecast/models.ts';
import { formerPrices } from '../../server/billing/prices.ts';
import { type Database, OWNER, type Transaction } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { PLAN_CASES, type PlanCase, RETIRED_PRICE } from './plan-cases.ts';

const PRICES = priceTableOf(DEFAULT_PRICE_IDS);
const INSERT_RETIRED = `insert into public.billing_prices (price_id, plan, unit_amount, active) values ($1, $2, 6900, false)`;

/** One user per case; $1 is the result of userOf for all of them. */
const EACH = `jsonb_to_recordset($1::jsonb) as each (user_id uuid, role text, customer_id text, price_id text,
  status text, current_period_end bigint, cancel_at_period_end boolean)`;
const INSERTS = [
  `insert into auth.users (id) select user_id from ${EACH}`,
  `insert into public.profiles (id, role) select user_id, role from ${EACH}
     on conflict (id) do update set role = excluded.role`,
  `insert into public.stripe_customers (user_id, customer_id) select user_id, customer_id from ${EACH}`,
  `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status, current_period_end,
     cancel_at_period_end, stripe_created)
   select 'sub_' || customer_id, customer_id, price_id, status, current_period_end, cancel_at_period_end, 0 from ${EACH}`,
];
const ANSWERS = `select private.plan_of(user_id) as plan, private.is_admin(user_id) as is_admin,
  private.allowed_models(user_id) as models from ${EACH} order by user_id`;

// Runs on both kinds, because the rule's SQL is compared with its TypeScript.
describeEachDatabase('the plan rule', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  /** A whole second, so that both clocks are exactly at the boundaries of the table. */
  async function freezeClock(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ s: number }>(`select extract(epoch from date_trunc('second', now()))::bigint as s`);
    await tx.query(
      `select set_config('kat.clock_offset_s', (-(extract(epoch from now()) - extract(epoch from date_trunc('second', now()))))::text, true)`,
    );
    return row?.s ?? Number.NaN;
  }

  test('gives the same plan and models in SQL and TypeScript for every case', async () => {
    await database.query(OWNER, INSERT_RETIRED, [RETIRED_PRICE.id, RETIRED_PRICE.plan]);
    // As the page gets them.
    const prices = priceTableOf({ ...DEFAULT_PRICE_IDS, former: await formerPrices(database, DEFAULT_PRICE_IDS) });
    const answers = await database.transaction(OWNER, async (tx) => {
      const nowS = await freezeClock(tx);
      const users = JSON.stringify(PLAN_CASES.map((planCase, index) => userOf(planCase, index, nowS)));
      for (const insert of INSERTS) await tx.query(insert, [users]);
      const inSql = await tx.query(ANSWERS, [users]);
      return PLAN_CASES.map((planCase, index) => {
        const { name } = planCase;
        return { name, sql: { ...inSql[index] }, typescript: entitlementInTypescript(planCase, prices, nowS) };
      });
    });

    expect(PLAN_CASES.length).toBeGreaterThan(700);
    expect(answers.filter(({ sql, typescript }) => !isDeepStrictEqual(sql, typescript))).toEqual([]);
    // A table that only ever returned free would find no difference.
    expect(new Set(answers.map(({ sql }) => JSON.stringify(sql))).size).toBe(6);
  });

  test('gives a user without any row the free plan on both sides', async () => {
    const [answer] = await database.query(OWNER, 'select private.plan_of(gen_random_uuid()) as plan');

    expect(answer?.plan).toBe(planOf(null, PRICES, 0));
  });

  test('has the same limits and prices in the tables as in the plans', async () => {
    const limits = await database.query(
      OWNER,
      'select plan, per_day, per_month, models from private.plan_limits order by per_day',
    );
    const prices = await database.query(
      OWNER,
      'select price_id, plan, unit_amount from public.billing_prices where active order by unit_amount',
    );

    const expectedLimits = Object.entries(PLANS).map(([plan, { perDay, perMonth, models }]) => {
      return { plan, per_day: perDay, per_month: perMonth, models: models.map((name) => MODELS[name].backendName) };
    });
    const expectedPrices = [...PRICES].map(([price_id, plan]) => ({
      price_id,
      plan,
      unit_amount: PLANS[plan].priceCents,
    }));
    expect(limits).toEqual(expectedLimits);
    expect(prices).toEqual(expectedPrices);
  });
});

function toRow(planCase: PlanCase, nowS: number): SubscriptionRow {
  return {
    price_id: planCase.priceId,
    status: planCase.status,
    cancel_at_period_end: planCase.cancelAtPeriodEnd,
    current_period_end: planCase.endsInS === null ? null : nowS + planCase.endsInS,
  };
}

function entitlementInTypescript(planCase: PlanCase, prices: PriceTable, nowS: number) {
  const row = toRow(planCase, nowS);
  const { plan, isAdmin, models } = deriveEntitlement(row, planCase.role, prices, nowS);
  return { plan, is_admin: isAdmin, models: models.map((name) => MODELS[name].backendName) };
}

/** A separate user for each case, in the order of the table. */
function userOf(planCase: PlanCase, index: number, nowS: number) {
  const user_id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  return { user_id, role: planCase.role, customer_id: `cus_${index}`, ...toRow(planCase, nowS) };
}
