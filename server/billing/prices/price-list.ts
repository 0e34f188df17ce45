/** Which prices are on sale, and which plan each price sells. */
import type { PlanName } from '#domain/billing/plans.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { BillingDeps } from '../billing-deps.ts';
import { cataloguePrices } from '../subscriptions/subscriber-store.ts';

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
