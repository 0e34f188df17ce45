import { AppError } from '#domain/errors/app-error.ts';
import type { BillingDeps } from '../billing-function.ts';
import type { Synced } from '../subscriptions/subscription-row.ts';
import { releaseSchedule, scheduleIdOf } from './downgrade.ts';
import { applyChange } from './own-subscription.ts';
import { hasEnded } from './plan-change.ts';

/** @returns false when it was already set to end. @throws AppError `billing/subscription-ended` */
export async function cancelAtPeriodEnd(deps: BillingDeps, now: Synced): Promise<boolean> {
  assertRunning(now);
  if (now.after.cancelAtPeriodEnd) return false;
  const { after } = await releaseSchedule(deps, now);
  await applyChange(deps, after.subscriptionId, {
    change: () =>
      deps.call('subscription', () =>
        deps.stripe.subscriptions.update(after.subscriptionId, { cancel_at_period_end: true }),
      ),
    isDone: (then) => then.after.cancelAtPeriodEnd,
  });
  return true;
}

/**
 * Clears the flag or the `cancel_at` that the provider's pages set; `subscriptions.resume` only resumes a paused one.
 * @throws AppError `billing/subscription-ended`
 */
export async function undoCancellation(deps: BillingDeps, now: Synced): Promise<void> {
  assertRunning(now);
  // Releases a half-made schedule. A planned downgrade isn't a cancellation and stays.
  const isIncomplete = scheduleIdOf(now) !== null && now.after.pendingPriceId === null;
  const free = now.after.cancelAtPeriodEnd || isIncomplete ? await releaseSchedule(deps, now) : now;
  if (!free.after.cancelAtPeriodEnd) return;
  const { subscriptionId } = free.after;
  // The provider doesn't accept both fields in one call.
  const cleared = free.subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' as const };
  await applyChange(deps, subscriptionId, {
    change: () => deps.call('subscription', () => deps.stripe.subscriptions.update(subscriptionId, cleared)),
    isDone: ({ after }) => !after.cancelAtPeriodEnd,
  });
}

function assertRunning({ after }: Synced): void {
  if (hasEnded(after.status)) throw new AppError('billing/subscription-ended');
}
