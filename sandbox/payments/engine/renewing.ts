/** A new period, its invoice an hour later, and the tries to be paid. */
import { settingsOf } from '../model/books.ts';
import type { CardOutcome } from '../model/cards.ts';
import { monthsAfter } from '../model/months.ts';
import type { Invoice, PaymentMethod, Subscription } from '../model/records.ts';
import { endSubscription } from './cancelling.ts';
import { type Attempt, chargeInvoice } from './charging.ts';
import { draftInvoice, finalize, periodLine } from './invoices.ts';
import { announce, stored, type Work } from './work.ts';

const DAY_S = 86_400;
/** An invoice stays a draft this long. */
const DRAFT_S = 3600;
/** Counted from the first failure. */
const RETRY_AFTER_S = [3 * DAY_S, 5 * DAY_S, 7 * DAY_S] as const;

export function renew(work: Work, sub: Subscription): void {
  const { draft } = work;
  const periodNumber = sub.periodNumber + 1;
  const renewed = draft.put('subscriptions', {
    ...sub,
    periodNumber,
    periodStart: sub.periodEnd,
    periodEnd: monthsAfter(sub.anchor, periodNumber),
  });
  draftInvoice(work, renewed, {
    reason: 'subscription_cycle',
    lines: [periodLine(work, renewed, stored(draft, 'prices', renewed.price))],
    finalizesAt: work.atS + DRAFT_S,
  });
  announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
}

/** The draft's hour is over. */
export function closeDraft(work: Work, invoice: Invoice): void {
  finalize(work, invoice.id);
  tryRenewalPayment(work, invoice.id);
}

/** A declined one is tried again later; after the last try the subscription ends, or stays unpaid. */
export function tryRenewalPayment(work: Work, invoiceId: string): void {
  const { draft } = work;
  const before = stored(draft, 'invoices', invoiceId);
  const paymentMethod = cardOf(work, before.subscription);
  const outcome = chargeInvoice(work, invoiceId, { paymentMethod });
  if (outcome.kind === 'paid') {
    markPaid(work, before.subscription);
    return;
  }
  const invoice = stored(draft, 'invoices', invoiceId);
  const wait = RETRY_AFTER_S[invoice.attempts - 1];
  const firstFailedAt = invoice.firstFailedAt ?? work.atS;
  draft.put('invoices', { ...invoice, nextAttemptAt: wait === undefined ? null : firstFailedAt + wait });
  if (wait !== undefined) setStatus(work, invoice.subscription, 'past_due');
  else if (settingsOf(draft).afterRetries === 'cancel') endSubscription(work, invoice.subscription, 'payment_failed');
  else setStatus(work, invoice.subscription, 'unpaid');
}

/** The owner pays a renewal or a first invoice on a page or by a call. */
export function payRenewal(work: Work, invoice: Invoice, attempt: Attempt): CardOutcome {
  const outcome = chargeInvoice(work, invoice.id, attempt);
  if (outcome.kind === 'paid') markPaid(work, invoice.subscription);
  return outcome;
}

/** The card of the subscription, else the customer's. */
export function cardOf({ draft }: Work, subId: string): PaymentMethod | null {
  const sub = stored(draft, 'subscriptions', subId);
  const id = sub.defaultPaymentMethod ?? stored(draft, 'customers', sub.customer).defaultPaymentMethod;
  return id === null ? null : draft.get('paymentMethods', id);
}

function markPaid(work: Work, subId: string): void {
  const { status } = stored(work.draft, 'subscriptions', subId);
  if (status === 'past_due' || status === 'unpaid') setStatus(work, subId, 'active');
}

function setStatus(work: Work, subId: string, status: Subscription['status']): void {
  const sub = stored(work.draft, 'subscriptions', subId);
  if (sub.status === status) return;
  work.draft.put('subscriptions', { ...sub, status });
  announce(work, 'customer.subscription.updated', 'subscriptions', subId);
}
