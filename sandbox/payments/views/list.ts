import type Stripe from 'stripe';

/** A list inside of an object: all of it. */
export function wholeList<T>(data: T[], url: string): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: false, url };
}
