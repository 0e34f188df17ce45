import { planOf } from './entitlement.ts';
import type { PlanName, PriceTable } from './plans.ts';
import { GRACE_S, isActiveStatus, isPaidStatus } from './subscription.ts';
import type { SubscriptionRecord } from './subscription-record.ts';

export type PaidPlan = Exclude<PlanName, 'free'>;

export interface SubscriptionState {
  /** The plan in effect now, by five statuses and the grace period. */
  plan: PlanName;
  /** The subscribed plan, whatever its status; null without a subscription and for a price that maps to no plan. */
  boughtPlan: PaidPlan | null;
  /** Whether its card says Active, by three statuses and the grace period. */
  isActive: boolean;
  /** It still exists at the provider: no second one can be bought, and this one can be changed. */
  isLive: boolean;
  /** Set to end but not over yet. */
  isCanceling: boolean;
  /** Ended, or its period and grace period passed without a renewal. */
  isCanceled: boolean;
  isTrialing: boolean;
  isPaused: boolean;
  /** A renewal was not paid: `past_due` and `unpaid`. */
  isPaymentDue: boolean;
  /** Live, with a price that maps to no plan. */
  hasUnknownPrice: boolean;
  isDowngradeScheduled: boolean;
  /** The plan of a scheduled downgrade; null without one and for a price that maps to no plan. */
  pendingPlan: PaidPlan | null;
  periodEndS: number | null;
}

export function subscriptionState(
  record: SubscriptionRecord | null,
  prices: PriceTable,
  nowS: number,
): SubscriptionState {
  const status = record?.status ?? null;
  const periodEndS = record?.current_period_end ?? null;
  const isOver = periodEndS !== null && nowS >= periodEndS + GRACE_S;
  const isCanceling = record?.cancel_at_period_end === true && !isOver;
  const boughtPlan = planOfPrice(record?.price_id, prices);
  // Without an end date there is no grace period: only the status counts.
  const isLive = record !== null && isPaidStatus({ ...record, current_period_end: null }, nowS);
  return {
    plan: planOf(record, prices, nowS),
    boughtPlan,
    isActive: isActiveStatus(record, nowS),
    isLive,
    isCanceling,
    isCanceled: (status === 'canceled' || isOver) && !isCanceling,
    isTrialing: status === 'trialing',
    isPaused: status === 'paused',
    isPaymentDue: status === 'past_due' || status === 'unpaid',
    hasUnknownPrice: isLive && boughtPlan === null,
    isDowngradeScheduled: record?.pending_price_id != null,
    pendingPlan: planOfPrice(record?.pending_price_id, prices),
    periodEndS,
  };
}

function planOfPrice(priceId: string | null | undefined, prices: PriceTable): PaidPlan | null {
  return priceId == null ? null : (prices.get(priceId) ?? null);
}
