/**
 * A planned downgrade: a schedule of two phases. Creating it takes two calls, so it may be found half-made. A half-made
 * schedule plans nothing, and the next change to the subscription releases it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BillingDeps } from '../billing-function.ts';
import type { Stripe } from '../provider/provider-call.ts';
import { idOf, type Synced } from '../subscriptions/subscription-row.ts';
import { applyChange, syncedNow } from './own-subscription.ts';

/** How often, and how long each time, to wait for another process's second call. */
const WAITS = 20;
const WAIT_MS = 200;

export function scheduleIdOf({ subscription }: Synced): string | null {
  return subscription.schedule === null ? null : idOf(subscription.schedule);
}

/** Releases the schedule, because canceling one would end the subscription immediately. */
export async function releaseSchedule(deps: BillingDeps, now: Synced): Promise<Synced> {
  const scheduleId = scheduleIdOf(now);
  if (scheduleId === null) return now;
  return await applyChange(deps, now.after.subscriptionId, {
    change: () => deps.call('subscription_schedule', () => deps.stripe.subscriptionSchedules.release(scheduleId)),
    isDone: (after) => scheduleIdOf(after) === null,
  });
}

/** Plans the new price from the period's end on; until then nothing changes, and nothing is refunded. */
export async function scheduleDowngrade(deps: BillingDeps, found: Synced, priceId: string): Promise<Synced> {
  const now = await onceComplete(deps, found);
  if (now.after.pendingPriceId === priceId) return now;
  const free = await releaseSchedule(deps, now);
  const { subscriptionId } = free.after;
  const begun = await applyChange(deps, subscriptionId, {
    change: () =>
      deps.call('subscription_schedule', () =>
        deps.stripe.subscriptionSchedules.create({ from_subscription: subscriptionId }),
      ),
    isDone: (after) => scheduleIdOf(after) !== null,
  });
  const scheduleId = scheduleIdOf(begun) ?? '';
  try {
    return await applyChange(deps, subscriptionId, {
      change: () =>
        deps.call('subscription_schedule', () =>
          deps.stripe.subscriptionSchedules.update(scheduleId, {
            end_behavior: 'release',
            proration_behavior: 'none',
            phases: [runningPhase(begun), laterPhase(begun, priceId)],
          }),
        ),
      isDone: ({ after }) => after.pendingPriceId === priceId,
    });
  } catch (error) {
    await releaseSchedule(deps, begun).catch(() => {
      // The half-made schedule stays until the next change releases it; the caller gets the first error.
    });
    throw error;
  }
}

/**
 * Waits while the schedule is half-made: another process may be about to complete it, and if we released it, the user's
 * other click would fail. After the wait it is abandoned.
 */
async function onceComplete(deps: BillingDeps, found: Synced): Promise<Synced> {
  let now = found;
  for (let waits = 0; isIncomplete(now) && waits < WAITS; waits += 1) {
    await sleep(WAIT_MS);
    now = await syncedNow(deps, now.after.subscriptionId);
  }
  return now;
}

function isIncomplete({ subscription: { schedule } }: Synced): boolean {
  return schedule !== null && typeof schedule !== 'string' && schedule.phases.length === 1;
}

type Phase = Stripe.SubscriptionScheduleUpdateParams.Phase;

function runningPhase({ subscription }: Synced): Phase {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error('A subscription without an item cannot be scheduled.');
  return {
    items: subscription.items.data.map(({ price, quantity }) => asItem(price.id, quantity)),
    start_date: item.current_period_start,
    end_date: item.current_period_end,
    ...discountsOf(subscription),
    ...(subscription.trial_end === null || subscription.status !== 'trialing'
      ? {}
      : { trial_end: subscription.trial_end }),
  };
}

function laterPhase({ subscription }: Synced, priceId: string): Phase {
  const [, ...others] = subscription.items.data;
  return {
    items: [asItem(priceId, 1), ...others.map(({ price, quantity }) => asItem(price.id, quantity))],
    duration: { interval: 'month', interval_count: 1 },
    proration_behavior: 'none',
    ...discountsOf(subscription),
  };
}

/** The quantity is omitted for a metered price. */
function asItem(price: string, quantity: number | undefined): Phase['items'][number] {
  return { price, ...(quantity === undefined ? {} : { quantity }) };
}

/** Repeats the discounts, because a phase removes whatever it doesn't name; for the running phase, immediately. */
function discountsOf({ discounts }: Stripe.Subscription): Pick<Phase, 'discounts'> {
  return discounts.length === 0 ? {} : { discounts: discounts.map((one) => ({ discount: idOf(one) })) };
}
