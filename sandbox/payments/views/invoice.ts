/** Invoices in the provider's format: the subscription is under `parent`, payments under `payments`. */
import Stripe from 'stripe';
import type { Invoice, InvoiceLine } from '../model/records.ts';
import type { PaymentState } from '../model/state-store.ts';
import { storedPrice } from './catalogue.ts';
import { wholeList } from './shared.ts';

export function invoiceView(store: PaymentState, invoice: Invoice, pagesUrl: string): Stripe.Invoice {
  const customer = store.get('customers', invoice.customer);
  const isPaid = invoice.status === 'paid';
  const paid = isPaid ? invoice.due : 0;
  return {
    id: invoice.id,
    object: 'invoice',
    account_country: 'US',
    account_name: null,
    account_tax_ids: null,
    amount_due: invoice.due,
    amount_overpaid: 0,
    amount_paid: paid,
    amount_remaining: invoice.due - paid,
    amount_shipping: 0,
    application: null,
    attempt_count: invoice.attempts,
    attempted: invoice.attempts > 0,
    auto_advance: invoice.status === 'draft' || invoice.nextAttemptAt !== null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: invoice.finalizesAt,
    billing_reason: invoice.reason,
    collection_method: 'charge_automatically',
    created: invoice.created,
    currency: currencyOf(store, invoice),
    custom_fields: null,
    customer: invoice.customer,
    customer_account: null,
    customer_address: null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: invoice.finalizedAt,
    ending_balance: invoice.endingBalance,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: invoice.finalizedAt === null ? null : `${pagesUrl}/invoice/${invoice.id}`,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: wholeList(
      invoice.lines.map((line) => lineView(store, invoice, line)),
      `/v1/invoices/${invoice.id}/lines`,
    ),
    livemode: false,
    metadata: {},
    next_payment_attempt: invoice.nextAttemptAt,
    number: invoice.number,
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: {
        metadata: { ...store.get('subscriptions', invoice.subscription)?.metadata },
        subscription: invoice.subscription,
        ...(invoice.prorationDate === null ? {} : { subscription_proration_date: invoice.prorationDate }),
      },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: invoice.periodEnd,
    period_start: invoice.periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: invoice.startingBalance,
    statement_descriptor: null,
    status: invoice.status,
    status_transitions: {
      finalized_at: invoice.finalizedAt,
      marked_uncollectible_at: null,
      paid_at: invoice.paidAt,
      voided_at: invoice.voidedAt,
    },
    subtotal: invoice.total,
    subtotal_excluding_tax: invoice.total,
    test_clock: customer?.testClock ?? null,
    total: invoice.total,
    total_discount_amounts: [],
    total_excluding_tax: invoice.total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: invoice.created,
  };
}

export function invoicePaymentsOf(store: PaymentState, invoice: Invoice): Stripe.InvoicePayment[] {
  const { paymentIntent } = invoice;
  if (paymentIntent === null) return [];
  const isPaid = invoice.status === 'paid';
  return [
    {
      id: paymentIntent.replace('pi_', 'inpay_'),
      object: 'invoice_payment',
      amount_paid: isPaid ? invoice.due : null,
      amount_requested: invoice.due,
      created: invoice.finalizedAt ?? invoice.created,
      currency: currencyOf(store, invoice),
      invoice: invoice.id,
      is_default: true,
      livemode: false,
      payment: { payment_intent: paymentIntent, type: 'payment_intent' },
      status: isPaid ? 'paid' : invoice.status === 'void' ? 'canceled' : 'open',
      status_transitions: { canceled_at: invoice.voidedAt, paid_at: invoice.paidAt },
    },
  ];
}

function lineView(store: PaymentState, invoice: Invoice, line: InvoiceLine): Stripe.InvoiceLineItem {
  const price = storedPrice(store, line.price);
  return {
    id: line.id,
    object: 'line_item',
    amount: line.amount,
    currency: price.currency,
    description: line.description,
    discount_amounts: [],
    discountable: !line.isProration,
    discounts: [],
    invoice: invoice.id,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: line.isProration,
        proration_details: null,
        subscription: invoice.subscription,
        subscription_item: invoice.subscriptionItem,
      },
      type: 'subscription_item_details',
    },
    period: { start: line.periodStart, end: line.periodEnd },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: Stripe.Decimal.from(line.unitAmount),
    },
    quantity: 1,
    quantity_decimal: Stripe.Decimal.from(1),
    subscription: invoice.subscription,
    subtotal: line.amount,
    taxes: [],
  };
}

function currencyOf(store: PaymentState, invoice: Invoice): string {
  const [line] = invoice.lines;
  return line === undefined ? 'usd' : storedPrice(store, line.price).currency;
}
