/** The user's row of the subscription view. */
import { type SubscriptionRow, subscriptionRowSchema } from '#domain/billing/subscription.ts';
import { supabase } from '../platform/supabase.ts';

/** @returns the user's row of the view, null when there is none */
export async function fetchSubscription(userId: string): Promise<SubscriptionRow | null> {
  const client = await supabase();
  const { data, error } = await client
    .from('stripe_user_subscriptions')
    .select('price_id,status,cancel_at_period_end,current_period_end')
    .eq('user_id', userId)
    .maybeSingle();
  if (error) throw new Error(`Subscription: ${error.message}`, { cause: error });
  return data === null ? null : subscriptionRowSchema.parse(data);
}
