/** Registers the settings' price ids in the database at start, so that SQL can map them to plans. */
import * as z from 'zod/mini';
import { PLANS, type PriceIds } from '#domain/billing/plans.ts';
import { type Database, SERVICE } from '../../platform/database/database.ts';
import type { PaymentsSource } from '../provider/payments-source.ts';

/**
 * A price removed from the settings stays, though it can't be bought any more: subscriptions to it still count.
 *
 * @param mode  where the prices are; null if nothing is sold
 */
export async function registerPrices(
  database: Database,
  priceIds: { bobcat: string; lion: string },
  mode: PaymentsSource['mode'] | null = null,
): Promise<void> {
  for (const plan of ['bobcat', 'lion'] as const) {
    await database.query(
      SERVICE,
      `insert into public.billing_prices (price_id, plan, unit_amount, mode) values ($1, $2, $3, coalesce($4, 'sandbox'))
       on conflict (price_id) do update set plan = excluded.plan, unit_amount = excluded.unit_amount, active = true,
         mode = coalesce($4, public.billing_prices.mode)`,
      [priceIds[plan], plan, PLANS[plan].priceCents, mode],
    );
  }
  await database.query(
    SERVICE,
    `update public.billing_prices set active = false
      where mode = $1 and active and not (price_id = any ($2::text[]))`,
    [mode, [priceIds.bobcat, priceIds.lion]],
  );
}

const formerSchema = z.array(z.object({ price_id: z.string(), plan: z.enum(['bobcat', 'lion']) }));

/** Plans of the retired prices, which are no longer in the settings: subscriptions to them still count. */
export async function formerPrices(
  database: Database,
  { bobcat, lion }: { bobcat: string; lion: string },
): Promise<NonNullable<PriceIds['former']>> {
  const rows = await database.query(
    SERVICE,
    'select price_id, plan from public.billing_prices where not (price_id = any ($1::text[])) order by price_id',
    [[bobcat, lion]],
  );
  return Object.fromEntries(formerSchema.parse(rows).map(({ price_id, plan }) => [price_id, plan]));
}
