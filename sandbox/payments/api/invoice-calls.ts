import * as z from 'zod/mini';
import { cardOf } from '../engine/payments/charging.ts';
import { invoiceRow, periodLine, prorationLines } from '../engine/payments/invoices.ts';
import { payInvoice, voidOpenInvoice } from '../engine/payments/open-invoice.ts';
import { prorationMoment } from '../engine/subscriptions/upgrading.ts';
import { named, stored } from '../engine/work.ts';
import { monthsAfter } from '../model/clocks.ts';
import type { Invoice } from '../model/records.ts';
import { declined, invalid } from '../model/refusal.ts';
import { invoicePaymentsOf, invoiceView } from '../views/invoice.ts';
import { namedCustomer, ownCard } from './customer-calls.ts';
import { type Call, datedPage, endpoint, text, whole } from './endpoint.ts';
import { pageOf } from './lists.ts';

const preview = z.strictObject({
  customer: z.optional(text),
  subscription: text,
  subscription_details: z.optional(
    z.strictObject({
      items: z
        .array(z.strictObject({ id: text, price: text, quantity: z.optional(z.literal('1')) }))
        .check(z.length(1)),
      // Other values would preview the next renewal with the prorations, which the product never requests.
      proration_behavior: z.enum(['always_invoice']),
      proration_date: z.optional(whole),
    }),
  ),
});

const CONSENT_NEEDED = {
  code: 'invoice_payment_intent_requires_action',
  declineCode: null,
  message: 'Payment for this invoice requires additional user action before it can be completed successfully.',
};

export const invoiceCalls = [
  endpoint('get', '/v1/invoices/:id', z.strictObject({}), (call) => viewed(call, namedInvoice(call))),
  endpoint(
    'get',
    '/v1/invoices',
    z.strictObject({
      ...datedPage,
      customer: z.optional(text),
      subscription: z.optional(text),
      status: z.optional(z.enum(['draft', 'open', 'paid', 'uncollectible', 'void'])),
    }),
    ({ draft, pagesUrl, params: { customer, subscription, status, ...rest } }) => {
      const rows = draft
        .list('invoices')
        .filter((invoice) => customer === undefined || invoice.customer === customer)
        .filter((invoice) => subscription === undefined || invoice.subscription === subscription)
        .filter((invoice) => status === undefined || invoice.status === status);
      return pageOf(rows, (row) => invoiceView(draft, row, pagesUrl), { url: '/v1/invoices', ...rest });
    },
  ),
  endpoint('post', '/v1/invoices/create_preview', preview, (call) => {
    const { draft, pagesUrl, params, workFor } = call;
    const sub = named(draft, 'subscriptions', params.subscription, { what: 'subscription', param: 'subscription' });
    if (params.customer !== undefined && params.customer !== sub.customer)
      throw invalid('The subscription does not belong to this customer.', { param: 'customer' });
    const work = workFor(sub.customer);
    const details = params.subscription_details;
    const [item] = details?.items ?? [];
    if (details === undefined || item === undefined) {
      const periodEnd = monthsAfter(sub.anchor, sub.periodNumber + 1);
      const next = { ...sub, periodStart: sub.periodEnd, periodEnd };
      const lines = [periodLine(work, next, stored(draft, 'prices', sub.price))];
      return invoiceView(draft, invoiceRow(work, next, { reason: 'subscription_cycle', lines }), pagesUrl);
    }
    if (item.id !== sub.itemId)
      throw invalid(`No such subscription_item: '${item.id}'`, {
        code: 'resource_missing',
        param: 'subscription_details[items][0][id]',
      });
    const param = 'subscription_details[items][0][price]';
    const to = named(draft, 'prices', item.price, { what: 'price', param });
    const changedAtS = prorationMoment(work, sub, details.proration_date ?? null);
    const lines = prorationLines(work, sub, { from: stored(draft, 'prices', sub.price), to, changedAtS });
    const row = invoiceRow(work, sub, { reason: 'subscription_update', lines, prorationDate: changedAtS });
    return invoiceView(draft, row, pagesUrl);
  }),
  endpoint('post', '/v1/invoices/:id/pay', z.strictObject({ payment_method: z.optional(text) }), (call) => {
    const { draft, params, workFor } = call;
    const invoice = namedInvoice(call);
    const work = workFor(invoice.customer);
    const requested = params.payment_method;
    const paymentMethod =
      requested === undefined
        ? cardOf(work, invoice.subscription)
        : ownCard(draft, namedCustomer(draft, invoice.customer), requested);
    const outcome = payInvoice(work, invoice, { paymentMethod });
    // Answers an error, but stores the attempt with its failed charge.
    if (outcome.kind === 'paid') return viewed(call, stored(draft, 'invoices', invoice.id));
    return outcome.kind === 'declined' ? declined(outcome.decline) : declined(CONSENT_NEEDED);
  }),
  endpoint('post', '/v1/invoices/:id/void', z.strictObject({}), (call) => {
    const invoice = namedInvoice(call);
    return viewed(call, voidOpenInvoice(call.workFor(invoice.customer), invoice));
  }),
  endpoint(
    'get',
    '/v1/invoice_payments',
    z.strictObject({
      ...datedPage,
      invoice: z.optional(text),
      payment: z.optional(z.strictObject({ type: z.literal('payment_intent'), payment_intent: text })),
    }),
    ({ draft, params: { invoice, payment, ...rest } }) => {
      const rows = draft
        .list('invoices')
        .filter(({ id }) => invoice === undefined || id === invoice)
        .filter(({ paymentIntent }) => payment === undefined || paymentIntent === payment.payment_intent)
        .flatMap((row) => invoicePaymentsOf(draft, row));
      return pageOf(rows, (row) => row, { url: '/v1/invoice_payments', ...rest });
    },
  ),
];

function namedInvoice({ draft, id }: Call<unknown>): Invoice {
  return named(draft, 'invoices', id, { what: 'invoice' });
}

function viewed({ draft, pagesUrl }: Call<unknown>, invoice: Invoice) {
  return invoiceView(draft, invoice, pagesUrl);
}
