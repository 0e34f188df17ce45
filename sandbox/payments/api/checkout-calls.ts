import * as z from 'zod/mini';
import { expireSession } from '../engine/payments/checkout.ts';
import { named } from '../engine/work.ts';
import { invalid } from '../model/refusal.ts';
import { portalSessionView, sessionItems, sessionView } from '../views/session.ts';
import { wholeList } from '../views/shared.ts';
import { namedCustomer } from './customer-calls.ts';
import { datedPage, endpoint, mergedMetadata, metadata, page, text, whole } from './endpoint.ts';
import { pageOf } from './lists.ts';

const url = z.string().check(z.regex(/^https?:\/\/[^\s]{1,5000}$/));
const MIN_OPEN_S = 30 * 60;
const MAX_OPEN_S = 24 * 3600;
/** Tolerates a clock slightly behind the caller's. */
const SKEW_S = 60;

const newSession = z.strictObject({
  mode: z.literal('subscription'),
  customer: text,
  client_reference_id: z.optional(text),
  line_items: z.array(z.strictObject({ price: text, quantity: z.optional(z.literal('1')) })).check(z.length(1)),
  success_url: url,
  cancel_url: z.optional(url),
  expires_at: z.optional(whole),
  metadata: z.optional(metadata),
  subscription_data: z.optional(
    z.strictObject({
      metadata: z.optional(metadata),
      billing_mode: z.optional(z.strictObject({ type: z.literal('flexible') })),
    }),
  ),
  allowed_payment_method_types: z.optional(z.array(z.literal('card'))),
  ui_mode: z.optional(z.literal('hosted_page')),
});

const SESSION = { what: 'checkout.session' };

export const checkoutCalls = [
  endpoint('post', '/v1/checkout/sessions', newSession, ({ draft, params, pagesUrl, siteS, workFor }) => {
    const customer = namedCustomer(draft, params.customer, 'customer');
    const [item] = params.line_items;
    const price = named(draft, 'prices', item?.price ?? '', { what: 'price', param: 'line_items[0][price]' });
    if (!price.isActive) throw invalid('The price specified is inactive.', { param: 'line_items[0][price]' });
    const { atS } = workFor(customer.id);
    // The page uses the site's time, the subscription the customer's.
    const openS = params.expires_at === undefined ? MAX_OPEN_S : params.expires_at - siteS;
    if (openS < MIN_OPEN_S - SKEW_S || openS > MAX_OPEN_S + SKEW_S)
      throw invalid('The `expires_at` timestamp must be between 30 minutes and 24 hours from now.', {
        param: 'expires_at',
      });
    const session = draft.put('sessions', {
      id: draft.newId('cs_test'),
      created: atS,
      status: 'open',
      customer: customer.id,
      clientReferenceId: params.client_reference_id ?? null,
      price: price.id,
      successUrl: params.success_url,
      cancelUrl: params.cancel_url ?? null,
      expiresAt: atS + openS,
      metadata: mergedMetadata({}, params.metadata),
      subscriptionMetadata: mergedMetadata({}, params.subscription_data?.metadata),
      subscription: null,
      invoice: null,
    });
    return sessionView(draft, session, pagesUrl);
  }),
  endpoint('get', '/v1/checkout/sessions/:id', z.strictObject({}), ({ draft, id, pagesUrl }) =>
    sessionView(draft, named(draft, 'sessions', id, SESSION), pagesUrl),
  ),
  endpoint(
    'get',
    '/v1/checkout/sessions',
    z.strictObject({
      ...datedPage,
      customer: z.optional(text),
      subscription: z.optional(text),
      status: z.optional(z.enum(['open', 'complete', 'expired'])),
    }),
    ({ draft, pagesUrl, params: { customer, subscription, status, ...rest } }) => {
      const rows = draft
        .list('sessions')
        .filter((session) => customer === undefined || session.customer === customer)
        .filter((session) => subscription === undefined || session.subscription === subscription)
        .filter((session) => status === undefined || session.status === status);
      return pageOf(rows, (row) => sessionView(draft, row, pagesUrl), { url: '/v1/checkout/sessions', ...rest });
    },
  ),
  endpoint('post', '/v1/checkout/sessions/:id/expire', z.strictObject({}), ({ draft, id, pagesUrl, workFor }) => {
    const session = named(draft, 'sessions', id, SESSION);
    return sessionView(draft, expireSession(workFor(session.customer), session), pagesUrl);
  }),
  endpoint('get', '/v1/checkout/sessions/:id/line_items', z.strictObject(page), ({ draft, id }) =>
    wholeList(sessionItems(draft, named(draft, 'sessions', id, SESSION)), `/v1/checkout/sessions/${id}/line_items`),
  ),
  endpoint(
    'post',
    '/v1/billing_portal/sessions',
    z.strictObject({ customer: text, return_url: z.optional(url) }),
    ({ draft, params, pagesUrl, siteS }) => {
      const session = draft.put('portalSessions', {
        id: draft.newId('bps'),
        created: siteS,
        customer: namedCustomer(draft, params.customer, 'customer').id,
        returnUrl: params.return_url ?? null,
      });
      return portalSessionView(session, pagesUrl);
    },
  ),
];
