/** What the button on each plan's card does. The server decides again; this avoids requests that it would refuse. */
import { PLAN_LABELS, type PlanName } from './plans.ts';
import type { SubscriptionState } from './subscription-state.ts';

type PlanAction = 'checkout' | 'upgrade' | 'downgrade' | 'cancel' | 'none';

export type PlanRefusal =
  | 'current'
  /** The current plan has ended but can be used until its grace period is over. */
  | 'current-in-grace'
  | 'not-set-up'
  /** The cancellation has to be undone first (R-SUBSCRIPTION-4, R-SUBSCRIPTION-5). */
  | 'cancellation-pending'
  /** The subscription is already set to end, and the free plan follows automatically. */
  | 'ends-by-itself'
  | 'downgrade-scheduled'
  | 'payment-due'
  | 'paused'
  | 'unknown-price';

export interface PlanButton {
  label: string;
  action: PlanAction;
  refusal: PlanRefusal | null;
}

/** @param canPay  whether this site takes payments */
export function planButton(state: SubscriptionState, target: PlanName, canPay: boolean): PlanButton {
  if (target === currentPlan(state)) {
    const isInGrace = target !== 'free' && !state.isLive;
    return { label: 'Current plan', action: 'none', refusal: isInGrace ? 'current-in-grace' : 'current' };
  }
  const action = actionOf(state, target);
  const refusal = canPay ? refusalOf(state, target) : 'not-set-up';
  return { label: labelOf(state, action, target), action: refusal === null ? action : 'none', refusal };
}

/** For an unpaid or paused subscription, its own plan: it cannot be bought again. Null: live, with an unknown price. */
function currentPlan(state: SubscriptionState): PlanName | null {
  if (state.isLive) return state.boughtPlan;
  return state.isActive ? (state.boughtPlan ?? 'free') : 'free';
}

function actionOf(state: SubscriptionState, target: PlanName): Exclude<PlanAction, 'none'> {
  if (target === 'free') return 'cancel';
  if (!state.isLive) return 'checkout';
  return target === 'lion' ? 'upgrade' : 'downgrade';
}

function refusalOf(state: SubscriptionState, target: PlanName): PlanRefusal | null {
  if (!state.isLive) return target === 'free' ? 'ends-by-itself' : null;
  if (state.isCanceling) return target === 'free' ? 'ends-by-itself' : 'cancellation-pending';
  if (target === 'free') return null;
  if (state.hasUnknownPrice) return 'unknown-price';
  if (state.isPaymentDue) return 'payment-due';
  if (state.isPaused) return 'paused';
  return state.pendingPlan === target ? 'downgrade-scheduled' : null;
}

function labelOf(state: SubscriptionState, action: PlanAction, target: PlanName): string {
  const name = PLAN_LABELS[target];
  if (state.hasUnknownPrice) return `Switch to ${name}`;
  if (action === 'checkout') return `Subscribe to ${name}`;
  if (action === 'upgrade') return `Upgrade to ${name}`;
  return action === 'downgrade' ? `Downgrade to ${name}` : `Switch to ${name}`;
}
