/** Subscriptions and payments. Amounts are the provider's US cents, times epoch seconds. */
import * as z from 'zod/mini';
import { PLAN_NAMES } from '../billing/plans.ts';
import { subscriptionRecordSchema } from '../billing/subscription-record.ts';
import { doneSchema, functionContract } from './function-contract.ts';

const done = z.literal(true);
const providerId = z.string().check(z.minLength(1), z.maxLength(255));
const address = z.string().check(z.minLength(1), z.maxLength(4000));
const url = z.string();
/** The caller's row of stripe_user_subscriptions, all columns; null without a customer. */
const subscription = z.nullable(subscriptionRecordSchema);

/** Bodies hold only addresses and ids. */
const PLANS = { form: 'plans', maxBytes: 16 * 1024 } as const;
const SESSION_EXAMPLE = { session_id: 'cs_test_1' };
const SUBSCRIPTION_EXAMPLE = { subscription_id: 'sub_1' };
const CHANGE_EXAMPLE = { ...SUBSCRIPTION_EXAMPLE, new_price_id: 'price_lion' };
const UNKNOWN = ['billing/no-such-subscription', 'billing/subscription-replaced', 'billing/busy'] as const;
const CHANGE_REFUSALS = [
  ...UNKNOWN,
  ...(['billing/unknown-price', 'billing/subscription-ended'] as const),
  ...(['billing/cancellation-pending', 'billing/not-in-order'] as const),
] as const;

export const CHECKOUT_FUNCTIONS = {
  'stripe-bootstrap': functionContract({
    ...PLANS,
    body: z.unknown(),
    answer: doneSchema,
    refusals: [],
    example: null,
    docs: {
      sends: '',
      gets: '`{ok: true}`: the caller has a customer at the provider, with the account’s name and address; the page calls it at each sign-in',
    },
  }),
  'stripe-checkout': functionContract({
    ...PLANS,
    body: z.object({
      price_id: providerId,
      success_url: address,
      cancel_url: address,
      mode: z.literal('subscription'),
    }),
    answer: z.object({ url: z.nullable(url), sessionId: z.string() }),
    refusals: ['billing/unknown-price', 'billing/already-subscribed', 'billing/busy'],
    example: {
      price_id: 'price_lion',
      success_url: 'http://127.0.0.1:3000/checkout/success',
      cancel_url: 'http://127.0.0.1:3000/checkout/cancel',
      mode: 'subscription',
    },
    docs: {
      sends: '`{price_id, success_url, cancel_url, mode: "subscription"}`',
      gets: '`{url, sessionId}`: the provider’s page. A user has one open session: the same purchase returns the same page, another purchase closes the earlier page. The server adds the session’s id to `success_url` as `session_id`',
    },
  }),
  'stripe-checkout-url': functionContract({
    ...PLANS,
    body: z.object({ session_id: providerId }),
    answer: z.object({ url }),
    refusals: ['billing/no-such-checkout', 'billing/busy'],
    example: SESSION_EXAMPLE,
    docs: {
      sends: '`{session_id}`',
      gets: '`{url}` of the caller’s open session',
      refused: { 'billing/no-such-checkout': 'also when it is paid or expired' },
    },
  }),
  'checkout-confirm': functionContract({
    ...PLANS,
    body: z.object({ session_id: providerId }),
    answer: z.object({
      /** `open`: not paid yet; `expired`: can no longer be paid. */
      status: z.enum(['complete', 'open', 'expired']),
      /** Active now, by the row beside it. */
      plan: z.enum(PLAN_NAMES),
      subscription,
    }),
    refusals: ['billing/no-such-checkout', 'billing/busy'],
    example: SESSION_EXAMPLE,
    docs: {
      sends: '`{session_id}`',
      gets: '`{status, plan, subscription}`; `status` is `complete`, `open` or `expired`. A `complete` purchase is stored, even if the provider’s event has not arrived',
    },
  }),
  'billing-portal': functionContract({
    ...PLANS,
    body: z.object({ return_url: address }),
    answer: z.object({ url }),
    refusals: ['billing/busy'],
    example: { return_url: 'http://127.0.0.1:3000/account/subscription' },
    docs: {
      sends: '`{return_url}`',
      gets: '`{url}`: the provider’s page for invoices and cards, only for the caller and soon expired',
    },
  }),
};

export const PLAN_CHANGE_FUNCTIONS = {
  'preview-invoice': functionContract({
    ...PLANS,
    body: z.object({ subscription_id: providerId, new_price_id: providerId }),
    answer: z.object({ amount_due: z.number(), currency: z.literal('usd'), proration_date: z.number() }),
    refusals: [...CHANGE_REFUSALS, 'billing/not-previewable'],
    example: CHANGE_EXAMPLE,
    docs: {
      sends: '`{subscription_id, new_price_id}`',
      gets: '`{amount_due, currency: "usd", proration_date}`: the current cost of a higher plan. A change within ten minutes costs exactly that',
    },
  }),
  'update-subscription': functionContract({
    ...PLANS,
    body: z.object({ subscription_id: providerId, new_price_id: providerId }),
    answer: z.union([
      z.object({ ok: done, subscription, already_set: z.optional(done) }),
      z.object({ ok: done, redirect_url: url }),
    ]),
    refusals: CHANGE_REFUSALS,
    example: CHANGE_EXAMPLE,
    docs: {
      sends: '`{subscription_id, new_price_id}`; the price `free`: as `cancel-subscription`',
      gets: '`{ok: true, subscription}`; or `{ok: true, redirect_url}`, the page that completes an open payment: the plan does not change before',
    },
  }),
  'cancel-subscription': functionContract({
    ...PLANS,
    body: z.object({ subscription_id: providerId }),
    answer: z.object({ ok: done, subscription, already_set: z.optional(done) }),
    refusals: [...UNKNOWN, 'billing/subscription-ended'],
    example: SUBSCRIPTION_EXAMPLE,
    docs: {
      sends: '`{subscription_id}`',
      gets: '`{ok: true, subscription}`, with `already_set: true` if the end was already set; it drops a planned downgrade',
    },
  }),
  'resume-subscription': functionContract({
    ...PLANS,
    body: z.object({ subscription_id: providerId }),
    answer: z.object({ ok: done, subscription }),
    refusals: [...UNKNOWN, 'billing/subscription-ended'],
    example: SUBSCRIPTION_EXAMPLE,
    docs: {
      sends: '`{subscription_id}`',
      gets: '`{ok: true, subscription}`, also if there was nothing to undo; a planned downgrade remains',
    },
  }),
};
