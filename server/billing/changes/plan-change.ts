/** Pure; tests hold the table of requested changes and states. */
import { PLAN_NAMES, type PlanName } from '#domain/billing/plans.ts';
import type { ErrorCode } from '#domain/errors/app-error.ts';

export interface SubscriptionNow {
  status: string;
  priceId: string | null;
  /** Null for a price that sells no plan. */
  plan: PlanName | null;
  /** Set by the flag, or by a time that the provider's own pages set. */
  isCanceling: boolean;
  /** A schedule is attached, even if it no longer changes anything. */
  hasSchedule: boolean;
  /** The price after a planned downgrade. */
  pendingPriceId: string | null;
  /** The price of an upgrade that is still unpaid. */
  unpaidPriceId: string | null;
  /** An invoice for the current plan is unpaid. */
  owes: boolean;
  /** The provider invoices it and collects payment; false while collection is paused there. */
  isCollected: boolean;
}

export type PlanChange =
  | { kind: 'nothing' | 'release' | 'upgrade' | 'downgrade' | 'pay' }
  | { kind: 'refused'; code: ErrorCode };

const OVER: ReadonlySet<string> = new Set(['canceled', 'incomplete', 'incomplete_expired']);
const IN_ARREARS: ReadonlySet<string> = new Set(['past_due', 'unpaid']);
/** In other statuses the provider collects nothing, so an upgrade would be free. */
const COLLECTED: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** True if only a new checkout can restart it: it has ended, or its first payment was never made. */
export function hasEnded(status: string): boolean {
  return OVER.has(status);
}

/** True if the current plan may have an unpaid invoice. */
export function isInArrears(status: string): boolean {
  return IN_ARREARS.has(status);
}

/** @param target  one of the prices on sale */
export function planChange(now: SubscriptionNow, target: { priceId: string; plan: PlanName }): PlanChange {
  if (hasEnded(now.status)) return { kind: 'refused', code: 'billing/subscription-ended' };
  if (now.isCanceling) return { kind: 'refused', code: 'billing/cancellation-pending' };
  if (isInArrears(now.status) && now.owes) return { kind: 'pay' };
  if (now.plan === null) return { kind: 'refused', code: 'billing/unknown-price' };
  // The same plan under a retired price is no change: a click doesn't move a customer to another price.
  if (target.plan === now.plan) return { kind: now.hasSchedule ? 'release' : 'nothing' };
  if (target.priceId === now.unpaidPriceId) return { kind: 'pay' };
  if (PLAN_NAMES.indexOf(target.plan) > PLAN_NAMES.indexOf(now.plan))
    return COLLECTED.has(now.status) && now.isCollected
      ? { kind: 'upgrade' }
      : { kind: 'refused', code: 'billing/not-in-order' };
  return { kind: target.priceId === now.pendingPriceId ? 'nothing' : 'downgrade' };
}
