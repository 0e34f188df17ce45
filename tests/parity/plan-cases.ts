/**
 * One table for both implementations of the plan rule: domain/billing/entitlement.ts on the page, private.plan_of and
 * private.allowed_models in the database. Every status with every price, flag, role and time boundary.
 */
import { DEFAULT_PRICE_IDS } from '../../domain/billing/plans.ts';
import { GRACE_S, SUBSCRIPTION_STATUSES } from '../../domain/billing/subscription.ts';

export interface PlanCase {
  name: string;
  role: 'user' | 'admin';
  priceId: string | null;
  status: string;
  cancelAtPeriodEnd: boolean;
  /** Seconds from now to the period's end; null: no end is known. */
  endsInS: number | null;
}

const FAR_S = 20 * 86_400;
/** It is no longer sold; users who pay it keep their plan. */
export const RETIRED_PRICE = { id: 'price_of_last_year', plan: 'lion' } as const;
const PRICES = [DEFAULT_PRICE_IDS.bobcat, DEFAULT_PRICE_IDS.lion, RETIRED_PRICE.id, 'price_unknown', null];
/** Around now, and around the grace's end: to the second, exactly there, and past it. */
const ENDS_S = [FAR_S, 1, 0, -1, -GRACE_S + 1, -GRACE_S, -GRACE_S - 1, -FAR_S, null];

export const PLAN_CASES: readonly PlanCase[] = SUBSCRIPTION_STATUSES.flatMap((status) =>
  PRICES.flatMap((priceId) =>
    [false, true].flatMap((cancelAtPeriodEnd) =>
      ENDS_S.flatMap((endsInS) =>
        // An admin's models do not depend on the rest, so one time boundary is enough.
        (endsInS === FAR_S ? (['user', 'admin'] as const) : (['user'] as const)).map((role) => ({
          name: `${role}, ${status}, ${priceId ?? 'no price'}, ${cancelAtPeriodEnd ? 'cancelling' : 'renewing'}, ends in ${endsInS ?? '?'} s`,
          role,
          priceId,
          status,
          cancelAtPeriodEnd,
          endsInS,
        })),
      ),
    ),
  ),
);
