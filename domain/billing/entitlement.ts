import { MODEL_NAMES, type ModelName } from '../forecast/models.ts';
import { PLANS, type PlanName, type PriceTable } from './plans.ts';
import { isPaidStatus, type SubscriptionRow } from './subscription.ts';

export interface Entitlement {
  plan: PlanName;
  isAdmin: boolean;
  models: readonly ModelName[];
}

export const NO_ENTITLEMENT: Entitlement = { plan: 'free', isAdmin: false, models: [] };

/** Free without a row, when the row is not paid at `nowS`, and when its price maps to no plan. */
export function planOf(row: SubscriptionRow | null, prices: PriceTable, nowS: number): PlanName {
  if (!row || !isPaidStatus(row, nowS) || row.price_id == null) return 'free';
  return prices.get(row.price_id) ?? 'free';
}

/** Admins get all models; other users get the models of their plan. */
export function deriveEntitlement(
  row: SubscriptionRow | null,
  role: string | null,
  prices: PriceTable,
  nowS: number,
): Entitlement {
  const plan = planOf(row, prices, nowS);
  const isAdmin = role === 'admin';
  return { plan, isAdmin, models: isAdmin ? MODEL_NAMES : PLANS[plan].models };
}
