/** What the database has for a caller: their customer, the row that the client reads, the current plan. */
import * as z from 'zod/mini';
import { PLAN_NAMES, type PlanName } from '#domain/billing/plans.ts';
import { type Database, type Row, SERVICE } from '../../platform/database/database.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';

/** The customer of the caller's own subscription; null if it is another user's, of another mode, or unknown. */
export async function customerOfOwn(
  database: Database,
  wanted: { userId: string; subscriptionId: string; mode: PaymentsSource['mode'] },
): Promise<string | null> {
  const rows = await database.query<{ customerId: string }>(
    SERVICE,
    `select c.customer_id as "customerId"
     from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
     where c.user_id = $1::text::uuid and s.subscription_id = $2::text and c.mode = $3::text`,
    [wanted.userId, wanted.subscriptionId, wanted.mode],
  );
  return rows[0]?.customerId ?? null;
}

/** The user's row of stripe_user_subscriptions, all columns; null without a customer. */
export async function subscriptionRowOf(database: Database, userId: string): Promise<Row | null> {
  const rows = await database.query(
    SERVICE,
    'select * from public.stripe_user_subscriptions where user_id = $1::text::uuid',
    [userId],
  );
  return rows[0] ?? null;
}

const planSchema = z.object({ plan: z.enum(PLAN_NAMES) });

/** By the database's own rule, which also decides access. */
export async function planNow(database: Database, userId: string): Promise<PlanName> {
  const rows = await database.query(SERVICE, 'select private.plan_of($1::text::uuid) as plan', [userId]);
  return planSchema.parse(rows[0]).plan;
}

const priceSchema = z.object({
  priceId: z.string(),
  plan: z.enum(['bobcat', 'lion']),
  isActive: z.boolean(),
  mode: z.enum(['sandbox', 'test', 'live']),
});
export type CataloguePrice = z.infer<typeof priceSchema>;

/** Every price that was ever sold. */
export async function cataloguePrices(database: Database): Promise<CataloguePrice[]> {
  const rows = await database.query(
    SERVICE,
    'select price_id as "priceId", plan, active as "isActive", mode from public.billing_prices',
  );
  return z.array(priceSchema).parse(rows);
}
