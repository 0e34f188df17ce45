/** What a wish for another plan means for a subscription as the provider has it now. Pure; the table is stated by its tests. */
import { PLAN_NAMES, type PlanName } from '#domain/billing/plans.ts';
import type { ErrorCode } from '#domain/errors/app-error.ts';

export interface SubscriptionNow {
  status: string;
  priceId: string | null;
  /** Null for a price that sells no plan. */
  plan: PlanName | null;
  /** By the flag, or by a moment that the provider's own pages set. */
  isCanceling: boolean;
  /** A schedule is attached, whether it still changes anything or not. */
  hasSchedule: boolean;
  /** The price that a planned downgrade brings. */
  pendingPriceId: string | null;
  /** The price of an upgrade whose payment is open. */
  unpaidPriceId: string | null;
  /** A payment for the running plan is open. */
  owes: boolean;
  /** The provider makes invoices of it and collects them: not while somebody there has paused that. */
  isCollected: boolean;
}

export type PlanChange =
  | { kind: 'nothing' | 'release' | 'upgrade' | 'downgrade' | 'pay' }
  | { kind: 'refused'; code: ErrorCode };

const OVER: ReadonlySet<string> = new Set(['canceled', 'incomplete', 'incomplete_expired']);
const IN_ARREARS: ReadonlySet<string> = new Set(['past_due', 'unpaid']);
/** In others the provider collects nothing: a higher plan would be given away. */
const COLLECTED: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** True for what checkout alone can begin again: it has ended, or its first payment was never made. */
export function isOver(status: string): boolean {
  return OVER.has(status);
}

/** True where the running plan may wait for a payment. */
export function isInArrears(status: string): boolean {
  return IN_ARREARS.has(status);
}

/** @param target  one of the prices on sale */
export function planChange(now: SubscriptionNow, target: { priceId: string; plan: PlanName }): PlanChange {
  if (isOver(now.status)) return { kind: 'refused', code: 'billing/subscription-ended' };
  if (now.isCanceling) return { kind: 'refused', code: 'billing/cancellation-pending' };
  if (isInArrears(now.status) && now.owes) return { kind: 'pay' };
  if (now.plan === null) return { kind: 'refused', code: 'billing/unknown-price' };
  // The same plan under a price of former days is the same: nobody is moved to another price by a click.
  if (target.plan === now.plan) return { kind: now.hasSchedule ? 'release' : 'nothing' };
  if (target.priceId === now.unpaidPriceId) return { kind: 'pay' };
  if (PLAN_NAMES.indexOf(target.plan) > PLAN_NAMES.indexOf(now.plan))
    return COLLECTED.has(now.status) && now.isCollected
      ? { kind: 'upgrade' }
      : { kind: 'refused', code: 'billing/not-in-order' };
  return { kind: target.priceId === now.pendingPriceId ? 'nothing' : 'downgrade' };
}
