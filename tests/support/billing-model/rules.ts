/** Written from the specification, not from the product's code. Each function returns what is wrong, or null. */
import { PRICES } from '../worlds/billing-world.ts';
import type { PaidPlan } from './person.ts';
import type { Live, ProviderState } from './provider-state.ts';

export type Outcome =
  | { kind: 'done' }
  | { kind: 'redirected' }
  | { kind: 'refused'; code: string }
  /** 5xx or no answer: any state between before and after may be true. */
  | { kind: 'trouble' };

const IN_ARREARS: ReadonlySet<string> = new Set(['past_due', 'unpaid']);

export function afterCancel(before: ProviderState, outcome: Outcome, after: ProviderState): string | null {
  if (before.live === null) return outcome.kind === 'refused' ? null : `cancelled what has ended: ${outcome.kind}`;
  if (outcome.kind !== 'done') return `a cancellation was ${describeOutcome(outcome)}`;
  if (after.live === null || !after.live.isEnding) return 'a cancellation did nothing';
  if (after.live.pendingPriceId !== null) return 'a downgrade outlived a cancellation';
  return same(before.live, after.live, ['priceId', 'endS', 'status']);
}

export function afterResume(before: ProviderState, outcome: Outcome, after: ProviderState): string | null {
  if (before.live === null) return outcome.kind === 'refused' ? null : `continued what has ended: ${outcome.kind}`;
  if (outcome.kind !== 'done') return `keeping the plan was ${describeOutcome(outcome)}`;
  if (after.live === null || after.live.isEnding) return 'keeping the plan did nothing';
  return same(before.live, after.live, ['priceId', 'endS', 'status']);
}

export function afterUpdate(
  before: ProviderState,
  { target, outcome, after }: { target: PaidPlan | 'free'; outcome: Outcome; after: ProviderState },
): string | null {
  if (target === 'free') return afterCancel(before, outcome, after);
  const was = before.live;
  const is = after.live;
  if (was === null) return outcome.kind === 'refused' ? null : `changed what has ended: ${outcome.kind}`;
  if (is === null) return 'a change of plan ended the subscription';
  if (was.isEnding) {
    if (outcome.kind !== 'refused') return `changed a plan that is set to end: ${outcome.kind}`;
    return same(was, is, ['priceId', 'endS', 'status', 'isEnding', 'pendingPriceId']);
  }
  if (IN_ARREARS.has(was.status)) return same(was, is, ['priceId']);
  const price = PRICES[target];
  if (price === was.priceId) {
    if (outcome.kind !== 'done') return `the same plan again was ${describeOutcome(outcome)}`;
    return is.pendingPriceId === null ? same(was, is, ['priceId', 'endS']) : 'a downgrade was not undone';
  }
  if (target === 'bobcat') {
    if (outcome.kind !== 'done') return `a downgrade was ${describeOutcome(outcome)}`;
    if (is.pendingPriceId !== price) return 'no downgrade waits for the period’s end';
    return same(was, is, ['priceId', 'endS', 'status', 'isEnding']);
  }
  if (outcome.kind === 'redirected') return same(was, is, ['priceId', 'endS', 'status', 'isEnding']);
  if (outcome.kind !== 'done') return `an upgrade was ${describeOutcome(outcome)}`;
  if (is.priceId !== price) return 'an upgrade changed no price';
  if (is.pendingPriceId !== null) return 'a downgrade outlived an upgrade';
  return same(was, is, ['endS', 'status', 'isEnding']);
}

/**
 * The user sends the id of the ended subscription: the server must refuse with `billing/subscription-replaced`, and
 * from then on the page shows the running subscription.
 */
export function afterReplaced(
  outcome: Outcome,
  { running, shown }: { running: string; shown: string | null },
): string | null {
  if (outcome.kind !== 'refused' || outcome.code !== 'billing/subscription-replaced')
    return `requested of what has ended while another runs, it was ${describeOutcome(outcome)}`;
  return shown === running ? null : `the page shows ${shown}, while ${running} runs`;
}

export function afterCheckout(before: ProviderState, outcome: Outcome): string | null {
  if (before.live === null) return outcome.kind === 'done' ? null : `a checkout was ${describeOutcome(outcome)}`;
  if (outcome.kind === 'refused' && outcome.code === 'billing/already-subscribed') return null;
  return `a checkout beside a running subscription was ${describeOutcome(outcome)}`;
}

export function afterPayment(plan: PaidPlan, { isGood }: { isGood: boolean }, after: ProviderState): string | null {
  if (!isGood) return after.live === null ? null : 'a card that was declined bought a plan';
  if (after.live === null) return 'a payment bought nothing';
  return after.live.priceId === PRICES[plan] ? null : 'a payment bought another plan';
}

/** @param isReliable  every charge succeeds */
export function afterTime(
  before: ProviderState,
  after: ProviderState,
  { isReliable, nowS }: { isReliable: boolean; nowS: number },
): string | null {
  const was = before.live;
  const is = after.live;
  if (was === null) return is === null ? null : 'a subscription came from nothing';
  // Near the boundary the result depends on the second.
  if (Math.abs(nowS - was.endS) < 30) return null;
  const isPast = nowS > was.endS;
  if (was.isEnding) {
    if (isPast) return is === null ? null : 'a cancelled subscription lives on';
    // An unpaid subscription may end earlier, when the provider gives up.
    if (is === null) return isReliable ? 'a cancelled subscription ended early' : null;
    return is.isEnding ? null : 'a cancelled subscription continues';
  }
  if (!isReliable || was.status !== 'active' || was.hasPendingUpdate) return null;
  if (is === null || is.status !== 'active') return 'a subscription that was paid for did not go on';
  if (!isPast) return same(was, is, ['priceId', 'endS', 'pendingPriceId']);
  const price = was.pendingPriceId ?? was.priceId;
  if (is.priceId !== price) return `the next period is at ${is.priceId}, not at ${price}`;
  if (is.pendingPriceId !== null) return 'a downgrade that took effect still waits';
  return is.endS > nowS ? null : 'the period was not renewed';
}

function same(was: Live, is: Live | null, fields: readonly (keyof Live)[]): string | null {
  for (const field of fields)
    if (was[field] !== is?.[field]) return `${field} went from ${was[field]} to ${is?.[field] ?? 'nothing'}`;
  return null;
}

function describeOutcome(outcome: Outcome): string {
  return outcome.kind === 'refused' ? `refused (${outcome.code})` : outcome.kind;
}
