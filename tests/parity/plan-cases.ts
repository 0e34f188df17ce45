/** One table for both homes of the plan rule: domain/billing/entitlement.ts and private.plan_of. */
import { DEFAULT_PRICE_IDS } from '../../domain/billing/plans.ts';
import { GRACE_S, SUBSCRIPTION_STATUSES } from '../../domain/billing/subscription.ts';

export interface PlanCase {
  name: string;
  priceId: string | null;
  status: string;
  cancelAtPeriodEnd: boolean;
  /** Seconds from now to the period's end; null: no end is known. */
  endsInS: number | null;
}

const FAR_S = 20 * 86_400;
const PRICES = [DEFAULT_PRICE_IDS.bobcat, DEFAULT_PRICE_IDS.lion, 'price_unknown', null];
/** Around now, and around the grace's end: to the second, exactly there, and past it. */
const ENDS_S = [FAR_S, 1, 0, -1, -GRACE_S + 1, -GRACE_S, -GRACE_S - 1, -FAR_S, null];

export const PLAN_CASES: readonly PlanCase[] = SUBSCRIPTION_STATUSES.flatMap((status) =>
  PRICES.flatMap((priceId) =>
    [false, true].flatMap((cancelAtPeriodEnd) =>
      ENDS_S.map((endsInS) => ({
        name: `${status}, ${priceId ?? 'no price'}, ${cancelAtPeriodEnd ? 'cancelling' : 'renewing'}, ends in ${endsInS ?? '?'} s`,
        priceId,
        status,
        cancelAtPeriodEnd,
        endsInS,
      })),
    ),
  ),
);
