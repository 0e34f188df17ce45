/** The end of a subscription at its period's end, and its undoing. */
import { AppError } from '#domain/errors/app-error.ts';
import type { BillingDeps, Synced } from '../billing-deps.ts';
import { released, scheduleIdOf } from './downgrade.ts';
import { changed } from './own-subscription.ts';
import { isOver } from './plan-change.ts';

/** @returns false: its end was set already. @throws AppError `billing/subscription-ended` */
export async function canceledAtPeriodEnd(deps: BillingDeps, now: Synced): Promise<boolean> {
  assertRunning(now);
  if (now.after.cancelAtPeriodEnd) return false;
  const { after } = await released(deps, now);
  await changed(deps, after.subscriptionId, {
    change: () =>
      deps.call('subscription', () =>
        deps.stripe.subscriptions.update(after.subscriptionId, { cancel_at_period_end: true }),
      ),
    isDone: (then) => then.after.cancelAtPeriodEnd,
  });
  return true;
}

/**
 * Clears whichever of the two says the end: the flag, or the moment that the provider's own pages set. (The provider's
 * `subscriptions.resume` is something else: it wakes a paused one.)
 *
 * @throws AppError `billing/subscription-ended`
 */
export async function kept(deps: BillingDeps, now: Synced): Promise<void> {
  assertRunning(now);
  // A half-made schedule goes; a planned downgrade is no cancellation and stays.
  const isHalfMade = scheduleIdOf(now) !== null && now.after.pendingPriceId === null;
  const free = now.after.cancelAtPeriodEnd || isHalfMade ? await released(deps, now) : now;
  if (!free.after.cancelAtPeriodEnd) return;
  const { subscriptionId } = free.after;
  // They may not be sent together.
  const cleared = free.subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' as const };
  await changed(deps, subscriptionId, {
    change: () => deps.call('subscription', () => deps.stripe.subscriptions.update(subscriptionId, cleared)),
    isDone: ({ after }) => !after.cancelAtPeriodEnd,
  });
}

function assertRunning({ after }: Synced): void {
  if (isOver(after.status)) throw new AppError('billing/subscription-ended');
}
