/** The price ids of the settings, made known to the database at start, so that SQL maps them to plans. */
import { PLANS } from '#domain/billing/plans.ts';
import { type Database, SERVICE } from '../platform/database.ts';

/** A price that is no longer in the settings stays: subscriptions to it still count. */
export async function registerPrices(database: Database, priceIds: { bobcat: string; lion: string }): Promise<void> {
  for (const plan of ['bobcat', 'lion'] as const) {
    await database.query(
      SERVICE,
      `insert into public.billing_prices (price_id, plan, unit_amount) values ($1, $2, $3)
       on conflict (price_id) do update set plan = excluded.plan, unit_amount = excluded.unit_amount`,
      [priceIds[plan], plan, PLANS[plan].priceCents],
    );
  }
}
