/** A user's whole row of the subscription view. */
import * as z from 'zod/mini';
import { subscriptionRowSchema } from './subscription.ts';

/** All of a user's row that is told. Specification 1, section 3. */
export const subscriptionRecordSchema = z.object({
  ...subscriptionRowSchema.shape,
  customer_id: z.nullable(z.string()),
  /** Null for a customer who has subscribed to nothing. */
  subscription_id: z.nullable(z.string()),
  current_period_start: z.nullable(z.number()),
  payment_method_brand: z.nullable(z.string()),
  payment_method_last4: z.nullable(z.string()),
  /** What the provider calls a change that waits for the period's end. */
  pending_subscription_id: z.nullable(z.string()),
  /** The price it will then have. */
  pending_price_id: z.nullable(z.string()),
});
export type SubscriptionRecord = z.infer<typeof subscriptionRecordSchema>;
