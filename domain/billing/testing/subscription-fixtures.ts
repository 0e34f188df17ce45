/** A Bobcat subscription in the middle of its paid month, for tests. A test overrides the columns it needs. */
import type { PriceTable } from '../plans.ts';
import type { SubscriptionRecord } from '../subscription-record.ts';

export const EXAMPLE_PRICES: PriceTable = new Map([
  ['price_bobcat', 'bobcat'],
  ['price_lion', 'lion'],
]);

export const EXAMPLE_NOW_S = Date.UTC(2026, 0, 15, 12) / 1000;

export const DAY_S = 86_400;

export function aSubscription(change: Partial<SubscriptionRecord> = {}): SubscriptionRecord {
  return {
    customer_id: 'cus_1',
    subscription_id: 'sub_1',
    price_id: 'price_bobcat',
    status: 'active',
    current_period_start: EXAMPLE_NOW_S - 10 * DAY_S,
    current_period_end: EXAMPLE_NOW_S + 20 * DAY_S,
    cancel_at_period_end: false,
    payment_method_brand: 'visa',
    payment_method_last4: '4242',
    pending_subscription_id: null,
    pending_price_id: null,
    ...change,
  };
}
