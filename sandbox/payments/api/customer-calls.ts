import * as z from 'zod/mini';
import { isEnded } from '../engine/subscription-status.ts';
import { endSubscription } from '../engine/subscriptions/cancelling.ts';
import { announce, named } from '../engine/work.ts';
import type { Customer } from '../model/records.ts';
import { invalid, missing } from '../model/refusal.ts';
import { type PaymentState, settingsOf } from '../model/state-store.ts';
import { customerView, paymentMethodView } from '../views/customer.ts';
import { clearable, datedPage, endpoint, mergedMetadata, metadata, page, text } from './endpoint.ts';
import { pageOf } from './lists.ts';

const fields = { email: z.optional(clearable), name: z.optional(clearable), metadata: z.optional(metadata) };

const changes = z.strictObject({
  ...fields,
  balance: z.optional(z.pipe(z.string().check(z.regex(/^-?\d{1,12}$/)), z.transform(Number))),
  invoice_settings: z.optional(z.strictObject({ default_payment_method: z.optional(clearable) })),
});

export const customerCalls = [
  endpoint('post', '/v1/customers', z.strictObject({ ...fields, test_clock: z.optional(text) }), (call) => {
    const { draft, params } = call;
    const testClock = params.test_clock ?? settingsOf(draft).defaultTestClock;
    if (testClock !== null) named(draft, 'testClocks', testClock, { what: 'test clock', param: 'test_clock' });
    const id = draft.newId('cus');
    draft.put('customers', {
      id,
      created: call.workFor(null).atS,
      email: params.email ?? null,
      name: params.name ?? null,
      metadata: mergedMetadata({}, params.metadata),
      balance: 0,
      defaultPaymentMethod: null,
      testClock,
      nextDeclines: null,
      isDeleted: false,
    });
    announce(call.workFor(id), 'customer.created', 'customers', id);
    return customerView(namedCustomer(draft, id));
  }),
  endpoint('get', '/v1/customers/search', z.strictObject({ query: text, limit: page.limit }), ({ draft, params }) => {
    const fits = searchOf(params.query);
    const rows = draft.list('customers').filter((customer) => !customer.isDeleted && fits(customer));
    const { data, has_more } = pageOf(rows, customerView, { url: '', limit: params.limit });
    return { object: 'search_result', data, has_more, next_page: null, url: '/v1/customers/search' };
  }),
  endpoint('get', '/v1/customers/:id', z.strictObject({}), ({ draft, id }) =>
    customerView(named(draft, 'customers', id, { what: 'customer' })),
  ),
  endpoint('post', '/v1/customers/:id', changes, ({ draft, id, params, workFor }) => {
    const customer = namedCustomer(draft, id);
    const card = params.invoice_settings?.default_payment_method;
    if (typeof card === 'string') ownCard(draft, customer, card);
    const updated = draft.put('customers', {
      ...customer,
      email: params.email === undefined ? customer.email : params.email,
      name: params.name === undefined ? customer.name : params.name,
      metadata: mergedMetadata(customer.metadata, params.metadata),
      balance: params.balance ?? customer.balance,
      defaultPaymentMethod: card === undefined ? customer.defaultPaymentMethod : card,
    });
    announce(workFor(id), 'customer.updated', 'customers', id);
    return customerView(updated);
  }),
  endpoint('delete', '/v1/customers/:id', z.strictObject({}), ({ draft, id, workFor }) => {
    namedCustomer(draft, id);
    for (const sub of draft.list('subscriptions'))
      if (sub.customer === id && !isEnded(sub)) endSubscription(workFor(id), sub.id, 'cancellation_requested');
    // Announced before the deletion, because the event carries the whole customer.
    announce(workFor(id), 'customer.deleted', 'customers', id);
    const deleted = draft.put('customers', { ...namedCustomer(draft, id), isDeleted: true });
    return customerView(deleted);
  }),
  endpoint('get', '/v1/customers', z.strictObject({ ...datedPage, email: z.optional(text) }), ({ draft, params }) => {
    const { email, ...rest } = params;
    const rows = draft
      .list('customers')
      .filter((customer) => !customer.isDeleted && (email === undefined || customer.email === email));
    return pageOf(rows, customerView, { url: '/v1/customers', ...rest });
  }),
  endpoint(
    'get',
    '/v1/customers/:id/payment_methods',
    z.strictObject({ ...page, type: z.optional(z.literal('card')) }),
    (call) => {
      const { draft, id, params } = call;
      namedCustomer(draft, id);
      const rows = draft.list('paymentMethods').filter(({ customer }) => customer === id);
      const { type: _type, ...rest } = params;
      return pageOf(rows, paymentMethodView, { url: `/v1/customers/${id}/payment_methods`, ...rest });
    },
  ),
];

export function namedCustomer(store: PaymentState, id: string, param = 'id'): Customer {
  const customer = named(store, 'customers', id, { what: 'customer', param });
  if (customer.isDeleted) throw missing('customer', id, param);
  return customer;
}

export function ownCard(store: PaymentState, { id }: Customer, card: string) {
  const paymentMethod = named(store, 'paymentMethods', card, { what: 'PaymentMethod', param: 'payment_method' });
  if (paymentMethod.customer === id) return paymentMethod;
  throw invalid('The customer does not have a payment method with this ID.', { param: 'payment_method' });
}

const CLAUSE = /^\s*(?:metadata\[['"]([^'"\]]{1,40})['"]\]|(email))\s*:\s*['"]([^'"]*)['"]\s*$/;

/** Clauses on email and metadata, joined by AND. @throws PaymentRefusal */
function searchOf(query: string): (customer: Customer) => boolean {
  const tests = query.split(/\sAND\s/i).map((clause) => {
    const match = CLAUSE.exec(clause);
    if (match === null) throw invalid('We were unable to parse your search query.', { param: 'query' });
    const [, key, , value] = match;
    return (customer: Customer) => (key === undefined ? customer.email : customer.metadata[key]) === value;
  });
  return (customer) => tests.every((test) => test(customer));
}
