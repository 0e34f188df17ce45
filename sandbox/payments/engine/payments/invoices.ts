/** An invoice from draft to its end, except payment. */
import { dollars } from '#domain/format/dollars.ts';
import { prorate, settle } from '../../model/money.ts';
import type { Invoice, InvoiceLine, Price, Subscription } from '../../model/records.ts';
import { settingsOf } from '../../model/state-store.ts';
import { announce, stored, type Work } from '../work.ts';

export interface NewInvoice {
  reason: Invoice['reason'];
  lines: readonly InvoiceLine[];
  prorationDate?: number;
  /** When the draft closes automatically; absent: its creator closes it. */
  finalizesAt?: number;
}

export function draftInvoice(work: Work, sub: Subscription, facts: NewInvoice): Invoice {
  const invoice = work.draft.put('invoices', invoiceRow(work, sub, facts));
  work.draft.put('subscriptions', { ...stored(work.draft, 'subscriptions', sub.id), latestInvoice: invoice.id });
  announce(work, 'invoice.created', 'invoices', invoice.id);
  return invoice;
}

export function invoiceRow({ draft, atS }: Work, sub: Subscription, facts: NewInvoice): Invoice {
  const { balance } = stored(draft, 'customers', sub.customer);
  const total = facts.lines.reduce((sum, line) => sum + line.amount, 0);
  return {
    id: draft.newId('in'),
    created: atS,
    customer: sub.customer,
    subscription: sub.id,
    subscriptionItem: sub.itemId,
    status: 'draft',
    reason: facts.reason,
    lines: facts.lines,
    total,
    due: settle(total, balance).dueCents,
    startingBalance: balance,
    endingBalance: null,
    number: null,
    prorationDate: facts.prorationDate ?? null,
    periodStart: sub.periodStart,
    periodEnd: sub.periodEnd,
    finalizesAt: facts.finalizesAt ?? null,
    finalizedAt: null,
    paidAt: null,
    voidedAt: null,
    attempts: 0,
    firstFailedAt: null,
    nextAttemptAt: null,
    paymentIntent: null,
  };
}

/** Draft to open: applies the balance, and adds a number and a payment intent. */
export function finalize(work: Work, invoiceId: string): Invoice {
  const { draft, atS } = work;
  const invoice = stored(draft, 'invoices', invoiceId);
  const customer = stored(draft, 'customers', invoice.customer);
  const { dueCents, endingBalanceCents } = settle(invoice.total, customer.balance);
  const settings = settingsOf(draft);
  draft.put('settings', { ...settings, invoiceCount: settings.invoiceCount + 1 });
  draft.put('customers', { ...customer, balance: endingBalanceCents });
  const opened = draft.put('invoices', {
    ...invoice,
    status: 'open',
    due: dueCents,
    startingBalance: customer.balance,
    endingBalance: endingBalanceCents,
    number: `TEST-${String(settings.invoiceCount + 1).padStart(6, '0')}`,
    finalizesAt: null,
    finalizedAt: atS,
    paymentIntent: dueCents === 0 ? null : newIntent(work, invoice, dueCents),
  });
  announce(work, 'invoice.finalized', 'invoices', invoice.id);
  return opened;
}

/** Returns the balance that it had applied. */
export function voidInvoice(work: Work, invoiceId: string): Invoice {
  const { draft, atS } = work;
  const invoice = stored(draft, 'invoices', invoiceId);
  const customer = stored(draft, 'customers', invoice.customer);
  if (invoice.endingBalance !== null) {
    const balance = customer.balance + invoice.startingBalance - invoice.endingBalance;
    draft.put('customers', { ...customer, balance });
  }
  if (invoice.paymentIntent !== null) {
    const intent = stored(draft, 'paymentIntents', invoice.paymentIntent);
    draft.put('paymentIntents', { ...intent, status: 'canceled' });
    announce(work, 'payment_intent.canceled', 'paymentIntents', intent.id);
  }
  const voided = draft.put('invoices', {
    ...invoice,
    status: 'void',
    voidedAt: atS,
    finalizesAt: null,
    nextAttemptAt: null,
  });
  announce(work, 'invoice.voided', 'invoices', invoice.id);
  return voided;
}

export function periodLine({ draft }: Work, sub: Subscription, price: Price): InvoiceLine {
  return {
    id: draft.newId('il'),
    amount: price.unitAmount,
    description: `1 × ${nameOf(price, draft.get('products', price.product)?.name)} (${dollars(price.unitAmount)} / month)`,
    price: price.id,
    unitAmount: price.unitAmount,
    isProration: false,
    periodStart: sub.periodStart,
    periodEnd: sub.periodEnd,
  };
}

export function trialLine({ draft }: Work, sub: Subscription, price: Price): InvoiceLine {
  return {
    id: draft.newId('il'),
    amount: 0,
    description: `Trial period for ${nameOf(price, draft.get('products', price.product)?.name)}`,
    price: price.id,
    unitAmount: 0,
    isProration: false,
    periodStart: sub.periodStart,
    periodEnd: sub.periodEnd,
  };
}

export interface PriceChange {
  from: Price;
  to: Price;
  changedAtS: number;
}

/** A credit for the unused rest of the old price, and the rest of the new one; both are zero in a trial. */
export function prorationLines(
  { draft }: Work,
  sub: Subscription,
  { from, to, changedAtS }: PriceChange,
): InvoiceLine[] {
  const isTrial = sub.status === 'trialing';
  const { creditCents, debitCents } = prorate(isTrial ? 0 : from.unitAmount, isTrial ? 0 : to.unitAmount, {
    periodStartS: sub.periodStart,
    periodEndS: sub.periodEnd,
    changedAtS,
  });
  const lineOf = (price: Price, amount: number, description: string): InvoiceLine => ({
    id: draft.newId('il'),
    amount,
    description: `${description} ${nameOf(price, draft.get('products', price.product)?.name)}`,
    price: price.id,
    unitAmount: amount,
    isProration: true,
    periodStart: changedAtS,
    periodEnd: sub.periodEnd,
  });
  return [lineOf(from, creditCents, 'Unused time on'), lineOf(to, debitCents, 'Remaining time on')];
}

function newIntent({ draft, atS }: Work, invoice: Invoice, amount: number): string {
  return draft.put('paymentIntents', {
    id: draft.newId('pi'),
    created: atS,
    customer: invoice.customer,
    invoice: invoice.id,
    amount,
    status: 'requires_payment_method',
    paymentMethod: null,
    latestCharge: null,
  }).id;
}

function nameOf(price: Price, productName: string | undefined): string {
  return productName ?? price.id;
}
