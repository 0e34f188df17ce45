/** The user's row of the subscription view. */
import { type SubscriptionRow, subscriptionRowSchema } from '#domain/billing/subscription.ts';
import { inTime } from '../platform/calls/time-limit.ts';
import { supabase } from '../platform/supabase.ts';

/**
 * @returns the user's row of the view, null if there is none
 * @throws Error if the store refuses or does not answer in time
 */
export function fetchSubscription(userId: string, signal: AbortSignal): Promise<SubscriptionRow | null> {
  return inTime(signal, async (limited) => {
    const client = await supabase();
    const { data, error } = await client
      .from('stripe_user_subscriptions')
      .select('price_id,status,cancel_at_period_end,current_period_end')
      .eq('user_id', userId)
      // The callers retry; a page must not show skeletons while the library retries too.
      .retry(false)
      .abortSignal(limited)
      .maybeSingle();
    if (error) throw new Error(`Subscription: ${error.message}`, { cause: error });
    return data === null ? null : subscriptionRowSchema.parse(data);
  });
}
