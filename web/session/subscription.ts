/** The signed-in user's row of the subscription view: one query for all who show it, prefetch it or decide by it. */
import { queryOptions } from '@tanstack/react-query';
import type { SubscriptionRecord } from '#domain/billing/subscription-record.ts';
import { inTime } from '../platform/calls/time-limit.ts';
import { retryInterval } from '../platform/query-client.ts';
import { tables } from '../platform/supabase.ts';

const COLUMNS =
  'customer_id,subscription_id,price_id,status,current_period_start,current_period_end,cancel_at_period_end,payment_method_brand,payment_method_last4,pending_subscription_id,pending_price_id';

export function subscriptionQuery(userId: string) {
  return queryOptions({
    queryKey: ['subscription', userId],
    queryFn: ({ signal }) => fetchSubscription(userId, signal),
    // Another tab, or the payment provider's pages, may have changed it meanwhile.
    refetchOnWindowFocus: true,
    refetchInterval: retryInterval,
  });
}

/** @returns null for a user who is not a customer yet  @throws Error if the store refuses or does not answer in time */
function fetchSubscription(userId: string, signal: AbortSignal): Promise<SubscriptionRecord | null> {
  return inTime(signal, async (limited) => {
    const client = await tables();
    const { data, error } = await client
      .from('stripe_user_subscriptions')
      .select(COLUMNS)
      .eq('user_id', userId)
      // The callers retry; a page must not show skeletons while the library retries too.
      .retry(false)
      .abortSignal(limited)
      .maybeSingle();
    if (error) throw new Error(`Subscription: ${error.message}`, { cause: error });
    // The code that checks the row loads only if there is a row.
    return data === null ? null : (await loadSubscriptionCheck()).subscriptionRecordSchema.parse(data);
  });
}

/** Also prefetched when a user is about to sign in. */
export function loadSubscriptionCheck() {
  return import('#domain/billing/subscription-record.ts');
}
