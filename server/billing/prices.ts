import * as z from 'zod/mini';
import { PLANS, type PlanName, type PriceIds } from '#domain/billing/plans.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { type Database, SERVICE } from '../platform/database/database.ts';
import type { BillingDeps } from './billing-function.ts';
import type { PaymentsSource } from './provider/payments-source.ts';

export interface PriceList {
  /** Null for a price that sells no plan. Retired prices still have their plan. */
  planOf(priceId: string | null): PlanName | null;
  /** @throws AppError `billing/unknown-price` unless the settings sell the price and it is active in this mode */
  onSale(priceId: string): { priceId: string; plan: PlanName };
}

export async function readPriceList(deps: Pick<BillingDeps, 'database' | 'mode' | 'priceIds'>): Promise<PriceList> {
  const prices = await cataloguePrices(deps.database);
  const named = new Set([deps.priceIds.bobcat, deps.priceIds.lion]);

  return {
    planOf: (priceId) => prices.find((price) => price.priceId === priceId)?.plan ?? null,
    onSale(priceId) {
      const price = prices.find((one) => one.priceId === priceId && one.isActive && one.mode === deps.mode);
      if (price === undefined || !named.has(priceId)) throw new AppError('billing/unknown-price');
      return { priceId, plan: price.plan };
    },
  };
}

/** Retired prices stay, so that SQL maps existing subscriptions to plans. @param mode null if nothing is sold */
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

/** Plans of the retired prices, which are no longer in the settings: subscriptions to them still count. */
export async function formerPrices(
  database: Database,
  { bobcat, lion }: { bobcat: string; lion: string },
): Promise<NonNullable<PriceIds['former']>> {
  const former = (await cataloguePrices(database)).filter(({ priceId }) => priceId !== bobcat && priceId !== lion);
  return Object.fromEntries(former.map(({ priceId, plan }) => [priceId, plan]));
}

const priceSchema = z.object({
  priceId: z.string(),
  plan: z.enum(['bobcat', 'lion']),
  isActive: z.boolean(),
  mode: z.enum(['sandbox', 'test', 'live']),
});

async function cataloguePrices(database: Database): Promise<z.infer<typeof priceSchema>[]> {
  const rows = await database.query(
    SERVICE,
    'select price_id as "priceId", plan, active as "isActive", mode from public.billing_prices order by price_id',
  );
  return z.array(priceSchema).parse(rows);
}
