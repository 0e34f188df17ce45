/** The database and the page answer the same to "which plan is this?", at every border. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planOf } from '../../domain/billing/entitlement.ts';
import { DEFAULT_PRICE_IDS, PLANS, priceTableOf } from '../../domain/billing/plans.ts';
import type { SubscriptionRow } from '../../domain/billing/subscription.ts';
import { MODELS } from '../../domain/forecast/models.ts';
import { type Database, OWNER, type Transaction } from '../../server/platform/database.ts';
import { openTestDatabase } from '../support/database.ts';
import { describeEachDatabase } from '../support/each-database.ts';
import { PLAN_CASES, type PlanCase } from './plan-cases.ts';

const PRICES = priceTableOf(DEFAULT_PRICE_IDS);
const INSERT_USER = 'insert into auth.users (id) values ($1)';
const INSERT_CUSTOMER = 'insert into public.stripe_customers (user_id, customer_id) values ($1, $2)';
const INSERT_SUBSCRIPTION = `insert into public.stripe_subscriptions (subscription_id, customer_id, price_id, status,
  current_period_end, cancel_at_period_end, stripe_created) values ($1, $2, $3, $4, $5, $6, 0)`;

describeEachDatabase('the plan rule', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  /** A whole second, so that both clocks stand exactly on the borders of the table. */
  async function freezeClock(tx: Transaction): Promise<number> {
    const [row] = await tx.query<{ s: number }>(`select extract(epoch from date_trunc('second', now()))::bigint as s`);
    await tx.query(
      `select set_config('kat.clock_offset_s', (-(extract(epoch from now()) - extract(epoch from date_trunc('second', now()))))::text, true)`,
    );
    return row?.s ?? Number.NaN;
  }

  test('every status, price, flag and border gives the same plan in SQL as in TypeScript', async () => {
    const differing = await database.transaction(OWNER, async (tx) => {
      const nowS = await freezeClock(tx);
      const different: { name: string; sql: unknown; typescript: string }[] = [];
      for (const [index, planCase] of PLAN_CASES.entries()) {
        const [answer] = await planInSql(tx, index, planCase, nowS);
        const typescript = planOf(toRow(planCase, nowS), PRICES, nowS);
        if (answer?.plan !== typescript) different.push({ name: planCase.name, sql: answer?.plan, typescript });
      }
      return different;
    });

    expect(PLAN_CASES.length).toBeGreaterThan(500);
    expect(differing).toEqual([]);
  });

  test('a user without any row is free on both sides', async () => {
    const [answer] = await database.query(OWNER, 'select private.plan_of(gen_random_uuid()) as plan');

    expect(answer?.plan).toBe(planOf(null, PRICES, 0));
  });

  test('the limits and prices in the tables are those of the plans', async () => {
    const limits = await database.query(OWNER, 'select plan, per_day, per_month, models from private.plan_limits');
    const prices = await database.query(OWNER, 'select price_id, plan, unit_amount from public.billing_prices');

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

/** A user of its own for each case. */
async function planInSql(tx: Transaction, index: number, planCase: PlanCase, nowS: number) {
  const userId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const row = toRow(planCase, nowS);
  await tx.query(INSERT_USER, [userId]);
  await tx.query(INSERT_CUSTOMER, [userId, `cus_${index}`]);
  await tx.query(INSERT_SUBSCRIPTION, [
    `sub_${index}`,
    `cus_${index}`,
    row.price_id,
    row.status,
    row.current_period_end,
    row.cancel_at_period_end,
  ]);
  return tx.query('select private.plan_of($1) as plan', [userId]);
}
