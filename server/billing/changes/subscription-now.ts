/** The facts of a subscription that decide a plan change, from a fresh sync. */
import type { BillingDeps, Synced } from '../billing-deps.ts';
import type { PriceList } from '../prices/price-list.ts';
import { scheduleIdOf } from './downgrade.ts';
import { isInArrears, type SubscriptionNow } from './plan-change.ts';
import { openInvoiceOf, unpaidPriceOf } from './upgrade.ts';

export async function subscriptionNow(
  deps: BillingDeps,
  { synced, prices }: { synced: Synced; prices: PriceList },
): Promise<SubscriptionNow> {
  const { after } = synced;
  return {
    status: after.status,
    priceId: after.priceId,
    plan: prices.planOf(after.priceId),
    isCanceling: after.cancelAtPeriodEnd,
    hasSchedule: scheduleIdOf(synced) !== null,
    pendingPriceId: after.pendingPriceId,
    unpaidPriceId: unpaidPriceOf(synced),
    isCollected: synced.subscription.pause_collection === null,
    owes: isInArrears(after.status) && (await openInvoiceOf(deps, synced)) !== null,
  };
}
