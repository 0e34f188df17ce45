import * as z from 'zod/mini';
import { subscriptionRowSchema } from './subscription.ts';

/** All columns of the row that the user can read. */
export const subscriptionRecordSchema = z.object({
  ...subscriptionRowSchema.shape,
  customer_id: z.nullable(z.string()),
  /** Null for a customer who has never subscribed. */
  subscription_id: z.nullable(z.string()),
  current_period_start: z.nullable(z.number()),
  payment_method_brand: z.nullable(z.string()),
  payment_method_last4: z.nullable(z.string()),
  /** The provider's id of a change scheduled for the period's end. */
  pending_subscription_id: z.nullable(z.string()),
  pending_price_id: z.nullable(z.string()),
});
export type SubscriptionRecord = z.infer<typeof subscriptionRecordSchema>;
