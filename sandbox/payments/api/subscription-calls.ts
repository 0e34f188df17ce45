/** Subscriptions: read, change the price, set and clear the cancel flag, end. */
import * as z from 'zod/mini';
import { endSubscription, setCancelFlags } from '../engine/cancelling.ts';
import { changePrice } from '../engine/upgrading.ts';
import { announce, named } from '../engine/work.ts';
import type { Subscription } from '../model/records.ts';
import { invalid } from '../model/refusal.ts';
import { subscriptionView } from '../views/subscription.ts';
import { namedCustomer, ownCard } from './customer-calls.ts';
import { endpoint } from './endpoint.ts';
import { pageOf } from './lists.ts';
import { clearable, flag, mergedMetadata, metadata, page, text, whole } from './params.ts';

const moment = z.pipe(
  z.string().check(z.regex(/^\d{0,15}$/)),
  z.transform((value) => (value === '' ? null : Number(value))),
);

const changes = z.strictObject({
  items: z.optional(
    z.array(z.strictObject({ id: text, price: text, quantity: z.optional(z.literal('1')) })).check(z.length(1)),
  ),
  // Stricter than the provider: what it would do by itself is not asked for here.
  proration_behavior: z.optional(z.enum(['always_invoice', 'none'])),
  proration_date: z.optional(whole),
  payment_behavior: z.optional(z.enum(['pending_if_incomplete', 'allow_incomplete', 'error_if_incomplete'])),
  cancel_at_period_end: z.optional(flag),
  cancel_at: z.optional(moment),
  default_payment_method: z.optional(clearable),
  metadata: z.optional(metadata),
});

type Changes = z.infer<typeof changes>;

const WITH_PENDING = new Set<string>(['items', 'proration_behavior', 'proration_date', 'payment_behavior']);

export const subscriptionCalls = [
  endpoint('get', '/v1/subscriptions/:id', z.strictObject({}), ({ draft, id }) =>
    subscriptionView(draft, namedSubscription(draft, id)),
  ),
  endpoint(
    'get',
    '/v1/subscriptions',
    z.strictObject({
      ...page,
      customer: z.optional(text),
      price: z.optional(text),
      status: z.optional(
        z.enum([
          'active',
          'all',
          'canceled',
          'ended',
          'incomplete',
          'incomplete_expired',
          'past_due',
          'paused',
          'trialing',
          'unpaid',
        ]),
      ),
    }),
    ({ draft, params: { customer, price, status, ...rest } }) => {
      const rows = draft
        .list('subscriptions')
        .filter((sub) => customer === undefined || sub.customer === customer)
        .filter((sub) => price === undefined || sub.price === price)
        .filter((sub) => hasStatus(sub, status));
      return pageOf(rows, (row) => subscriptionView(draft, row), { url: '/v1/subscriptions', ...rest });
    },
  ),
  endpoint('post', '/v1/subscriptions/:id', changes, ({ draft, id, params, workFor }) => {
    let sub = namedSubscription(draft, id);
    const work = workFor(sub.customer);
    assertTogether(params);
    if (params.cancel_at_period_end !== undefined || params.cancel_at !== undefined) {
      const heldAt = sub.cancelAtPeriodEnd ? null : sub.cancelAt;
      sub = setCancelFlags(work, assertLive(sub), {
        atPeriodEnd: params.cancel_at_period_end ?? sub.cancelAtPeriodEnd,
        at: params.cancel_at === undefined ? heldAt : params.cancel_at,
      });
    }
    const card = params.default_payment_method;
    if (typeof card === 'string') ownCard(draft, namedCustomer(draft, sub.customer), card);
    sub = draft.put('subscriptions', {
      ...sub,
      defaultPaymentMethod: card === undefined ? sub.defaultPaymentMethod : card,
      metadata: mergedMetadata(sub.metadata, params.metadata),
    });
    const [item] = params.items ?? [];
    if (item === undefined) announce(work, 'customer.subscription.updated', 'subscriptions', id);
    else {
      if (item.id !== sub.itemId)
        throw invalid(`No such subscription_item: '${item.id}'`, { code: 'resource_missing', param: 'items[0][id]' });
      changePrice(work, sub, {
        to: named(draft, 'prices', item.price, { what: 'price', param: 'items[0][price]' }),
        prorationDate: params.proration_date ?? null,
        prorationBehavior: params.proration_behavior ?? 'none',
        paymentBehavior: params.payment_behavior ?? 'allow_incomplete',
      });
    }
    return subscriptionView(draft, namedSubscription(draft, id));
  }),
  endpoint(
    'delete',
    '/v1/subscriptions/:id',
    // Neither is done: an end is an end, without an invoice.
    z.strictObject({ invoice_now: z.optional(z.literal('false')), prorate: z.optional(z.literal('false')) }),
    ({ draft, id, workFor }) => {
      const sub = assertLive(namedSubscription(draft, id));
      return subscriptionView(draft, endSubscription(workFor(sub.customer), id, 'cancellation_requested'));
    },
  ),
];

function namedSubscription(draft: Parameters<typeof named>[0], id: string): Subscription {
  return named(draft, 'subscriptions', id, { what: 'subscription' });
}

function assertLive(sub: Subscription): Subscription {
  if (sub.status !== 'canceled') return sub;
  throw invalid(`No such subscription: '${sub.id}'`, { code: 'resource_missing', param: 'id' });
}

/** @throws Refusal for a parameter that cannot wait for a payment */
function assertTogether(params: Changes): void {
  if (params.payment_behavior !== 'pending_if_incomplete') return;
  const [other] = Object.keys(params).filter((name) => !WITH_PENDING.has(name));
  if (other !== undefined)
    throw invalid(`When payment_behavior is pending_if_incomplete, you cannot pass \`${other}\`.`, { param: other });
}

/** Absent: all but the ended. */
function hasStatus(sub: Subscription, status: string | undefined): boolean {
  if (status === 'all') return true;
  if (status === undefined) return sub.status !== 'canceled';
  return sub.status === (status === 'ended' ? 'canceled' : status);
}
