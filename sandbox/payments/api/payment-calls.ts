import * as z from 'zod/mini';
import { refund } from '../engine/payments/charging.ts';
import { attachCard, looseCard } from '../engine/payments/checkout.ts';
import { announce, named, type Work } from '../engine/work.ts';
import { CARD_TOKENS, declineAtAttaching, type TestCard } from '../model/cards.ts';
import { declined, invalid } from '../model/refusal.ts';
import { paymentMethodView } from '../views/customer.ts';
import { chargeView, paymentIntentView, refundView } from '../views/payment.ts';
import { namedCustomer } from './customer-calls.ts';
import { datedPage, endpoint, mergedMetadata, metadata, text, whole } from './endpoint.ts';
import { pageOf } from './lists.ts';

const newRefund = z.strictObject({
  charge: z.optional(text),
  payment_intent: z.optional(text),
  amount: z.optional(whole),
  reason: z.optional(z.enum(['duplicate', 'fraudulent', 'requested_by_customer'])),
  metadata: z.optional(metadata),
});

const refundsPage = z.strictObject({ ...datedPage, charge: z.optional(text), payment_intent: z.optional(text) });

const CARD = { what: 'PaymentMethod' };

export const paymentCalls = [
  endpoint('get', '/v1/payment_methods/:id', z.strictObject({}), ({ draft, id }) =>
    paymentMethodView(named(draft, 'paymentMethods', id, CARD)),
  ),
  endpoint('post', '/v1/payment_methods/:id/attach', z.strictObject({ customer: text }), (call) => {
    const { draft, id, params, workFor } = call;
    const customer = namedCustomer(draft, params.customer, 'customer');
    const work = workFor(customer.id);
    const token = CARD_TOKENS.get(id);
    const card =
      token === undefined ? named(draft, 'paymentMethods', id, CARD) : looseCard(work, anyYearOf(token, work));
    const decline = declineAtAttaching(card.card);
    if (decline !== null) throw declined(decline);
    if (card.customer !== null && card.customer !== customer.id)
      throw invalid('The payment method you provided has already been attached to a customer.');
    return paymentMethodView(attachCard(work, customer.id, card));
  }),
  endpoint('post', '/v1/payment_methods/:id/detach', z.strictObject({}), ({ draft, id, workFor }) => {
    const card = named(draft, 'paymentMethods', id, CARD);
    if (card.customer === null)
      throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.');
    const customer = draft.get('customers', card.customer);
    if (customer?.defaultPaymentMethod === id) draft.put('customers', { ...customer, defaultPaymentMethod: null });
    for (const sub of draft.list('subscriptions'))
      if (sub.defaultPaymentMethod === id) draft.put('subscriptions', { ...sub, defaultPaymentMethod: null });
    const detached = draft.put('paymentMethods', { ...card, customer: null });
    announce(workFor(card.customer), 'payment_method.detached', 'paymentMethods', id);
    return paymentMethodView(detached);
  }),
  endpoint('get', '/v1/payment_intents/:id', z.strictObject({}), ({ draft, id }) =>
    paymentIntentView(named(draft, 'paymentIntents', id, { what: 'payment_intent' })),
  ),
  endpoint('get', '/v1/charges/:id', z.strictObject({}), ({ draft, id }) =>
    chargeView(named(draft, 'charges', id, { what: 'charge' })),
  ),
  endpoint('get', '/v1/refunds', refundsPage, ({ draft, params: { charge, payment_intent: intent, ...page } }) => {
    const rows = draft
      .list('refunds')
      .filter((row) => (charge ?? row.charge) === row.charge && (intent ?? row.paymentIntent) === row.paymentIntent);
    return pageOf(rows, refundView, { url: '/v1/refunds', ...page });
  }),
  endpoint('post', '/v1/refunds', newRefund, ({ draft, params, workFor }) => {
    const chargeId = params.charge ?? chargeOf(draft, params.payment_intent);
    const charge = named(draft, 'charges', chargeId, { what: 'charge', param: 'charge' });
    const created = refund(workFor(charge.customer), charge, {
      amount: params.amount ?? null,
      reason: params.reason ?? null,
      metadata: mergedMetadata({}, params.metadata),
    });
    return refundView(created);
  }),
];

/** Valid for years, as the provider's test cards. */
function anyYearOf(token: Pick<TestCard, 'brand' | 'last4' | 'behaviour'>, { atS }: Work): TestCard {
  return { ...token, expMonth: 12, expYear: new Date(atS * 1000).getUTCFullYear() + 4 };
}

function chargeOf(draft: Parameters<typeof named>[0], intentId: string | undefined): string {
  if (intentId === undefined)
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.');
  const intent = named(draft, 'paymentIntents', intentId, { what: 'payment_intent', param: 'payment_intent' });
  if (intent.latestCharge !== null && intent.status === 'succeeded') return intent.latestCharge;
  throw invalid(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`);
}
