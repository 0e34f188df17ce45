import * as z from 'zod/mini';
import { isEnded } from '../engine/subscription-status.ts';
import { endSubscription, setCancelFlags } from '../engine/subscriptions/cancelling.ts';
import { resumeSubscription } from '../engine/subscriptions/resuming.ts';
import { subscribe } from '../engine/subscriptions/subscribing.ts';
import { changePrice } from '../engine/subscriptions/upgrading.ts';
import { announce, named } from '../engine/work.ts';
import type { Subscription } from '../model/records.ts';
import { invalid } from '../model/refusal.ts';
import { subscriptionView } from '../views/subscription.ts';
import { namedCustomer, ownCard } from './customer-calls.ts';
import { clearable, datedPage, endpoint, flag, mergedMetadata, metadata, text, whole } from './endpoint.ts';
import { pageOf } from './lists.ts';

const moment = z.pipe(
  z.string().check(z.regex(/^\d{0,15}$/)),
  z.transform((value) => (value === '' ? null : Number(value))),
);

const DAY_S = 86_400;
/** As at the provider: two years. */
const MAX_TRIAL_S = 730 * DAY_S;

const newSubscription = z.strictObject({
  customer: text,
  items: z.array(z.strictObject({ price: text, quantity: z.optional(z.literal('1')) })).check(z.length(1)),
  default_payment_method: z.optional(text),
  trial_period_days: z.optional(whole),
  trial_end: z.optional(z.union([z.literal('now'), whole])),
  trial_settings: z.optional(
    z.strictObject({
      end_behavior: z.strictObject({ missing_payment_method: z.enum(['create_invoice', 'pause', 'cancel']) }),
    }),
  ),
  payment_behavior: z.optional(z.enum(['default_incomplete', 'allow_incomplete', 'error_if_incomplete'])),
  collection_method: z.optional(z.literal('charge_automatically')),
  billing_mode: z.optional(z.strictObject({ type: z.literal('flexible') })),
  metadata: z.optional(metadata),
});

const changes = z.strictObject({
  items: z.optional(
    z.array(z.strictObject({ id: text, price: text, quantity: z.optional(z.literal('1')) })).check(z.length(1)),
  ),
  // Stricter than the provider, whose default the product never uses.
  proration_behavior: z.optional(z.enum(['always_invoice', 'none'])),
  proration_date: z.optional(whole),
  payment_behavior: z.optional(z.enum(['pending_if_incomplete', 'allow_incomplete', 'error_if_incomplete'])),
  cancel_at_period_end: z.optional(flag),
  cancel_at: z.optional(moment),
  default_payment_method: z.optional(clearable),
  metadata: z.optional(metadata),
});

const resumption = z.strictObject({
  // Only a new anchor is accepted: the product never resumes on the old one.
  billing_cycle_anchor: z.optional(z.strictObject({ type: z.literal('now') })),
  payment_behavior: z.optional(z.enum(['resume_on_payment_attempt', 'resume_on_payment_success'])),
});

type Changes = z.infer<typeof changes>;

const WITH_PENDING = new Set<string>(['items', 'proration_behavior', 'proration_date', 'payment_behavior']);

const STATUSES = [
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
] as const;

export const subscriptionCalls = [
  endpoint('post', '/v1/subscriptions', newSubscription, ({ draft, params, workFor }) => {
    const customer = namedCustomer(draft, params.customer, 'customer');
    const card = params.default_payment_method;
    if (card !== undefined) ownCard(draft, customer, card);
    const price = named(draft, 'prices', params.items[0]?.price ?? '', { what: 'price', param: 'items[0][price]' });
    if (!price.isActive) throw invalid('The price specified is inactive.', { param: 'items[0][price]' });
    const work = workFor(customer.id);
    const trialEnd = trialEndOf(params, work.atS);
    const sub = subscribe(
      work,
      {
        customer: customer.id,
        price: price.id,
        metadata: mergedMetadata({}, params.metadata),
        paymentMethod: card ?? null,
        status: trialEnd === null ? 'incomplete' : 'trialing',
        ...(trialEnd === null ? {} : { trialEnd }),
        withoutCard: params.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
      },
      params.payment_behavior ?? 'allow_incomplete',
    );
    return subscriptionView(draft, sub);
  }),
  endpoint('get', '/v1/subscriptions/:id', z.strictObject({}), ({ draft, id }) =>
    subscriptionView(draft, namedSubscription(draft, id)),
  ),
  endpoint(
    'get',
    '/v1/subscriptions',
    z.strictObject({
      ...datedPage,
      customer: z.optional(text),
      price: z.optional(text),
      status: z.optional(z.enum(STATUSES)),
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
  endpoint('post', '/v1/subscriptions/:id/resume', resumption, ({ draft, id, params, workFor }) => {
    const sub = namedSubscription(draft, id);
    const payment = params.payment_behavior ?? 'resume_on_payment_attempt';
    return subscriptionView(draft, resumeSubscription(workFor(sub.customer), sub, payment));
  }),
  endpoint(
    'delete',
    '/v1/subscriptions/:id',
    // Only false is accepted: the subscription ends without an invoice.
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

function trialEndOf(params: z.infer<typeof newSubscription>, atS: number): number | null {
  const { trial_period_days: days, trial_end: end } = params;
  if (days !== undefined && end !== undefined)
    throw invalid('Give either `trial_end` or `trial_period_days`.', { param: 'trial_end' });
  if (end === 'now' || (days === undefined && end === undefined) || days === 0) return null;
  const trialEnd = end ?? atS + (days ?? 0) * DAY_S;
  if (trialEnd <= atS || trialEnd > atS + MAX_TRIAL_S)
    throw invalid('A trial must end in the future, and within two years.', {
      param: end === undefined ? 'trial_period_days' : 'trial_end',
    });
  return trialEnd;
}

function assertLive(sub: Subscription): Subscription {
  if (!isEnded(sub)) return sub;
  throw invalid(`No such subscription: '${sub.id}'`, { code: 'resource_missing', param: 'id' });
}

/** @throws PaymentRefusal for two contradictory ends, and for a parameter that cannot wait for a payment */
function assertTogether(params: Changes): void {
  if (params.cancel_at !== undefined && params.cancel_at_period_end !== undefined)
    throw invalid('Only one of `cancel_at` and `cancel_at_period_end` may be given.', { param: 'cancel_at' });
  if (params.payment_behavior !== 'pending_if_incomplete') return;
  const [other] = Object.keys(params).filter((name) => !WITH_PENDING.has(name));
  if (other !== undefined)
    throw invalid(`When payment_behavior is pending_if_incomplete, you cannot pass \`${other}\`.`, { param: other });
}

/** Absent: all but canceled ones. `ended`: canceled, or never paid for. */
function hasStatus(sub: Subscription, status: (typeof STATUSES)[number] | undefined): boolean {
  if (status === 'all') return true;
  if (status === 'ended') return isEnded(sub);
  return status === undefined ? sub.status !== 'canceled' : sub.status === status;
}
