import type Stripe from 'stripe';

/** A list within an object, in full. */
export function wholeList<T>(data: T[], url: string): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: false, url };
}
