/** The end of a period or a trial, its invoice an hour later, and the payment attempts. */
import type { CardOutcome } from '../../model/cards.ts';
import { monthsAfter } from '../../model/clocks.ts';
import type { Invoice, Subscription } from '../../model/records.ts';
import { settingsOf } from '../../model/state-store.ts';
import { type Attempt, cardOf, chargeInvoice } from '../payments/charging.ts';
import { draftInvoice, finalize, periodLine } from '../payments/invoices.ts';
import { afterPaid, setStatus } from '../subscription-status.ts';
import { announce, stored, type Work } from '../work.ts';
import { endSubscription } from './cancelling.ts';

const DAY_S = 86_400;
const DRAFT_S = 3600;
/** Counted from the first failure. */
const RETRY_AFTER_S = [3 * DAY_S, 5 * DAY_S, 7 * DAY_S] as const;

/** A trial without a card ends as `withoutCard` says. */
export function endPeriod(work: Work, sub: Subscription): void {
  const isWithoutCard = sub.status === 'trialing' && cardOf(work, sub.id) === null;
  if (isWithoutCard && sub.withoutCard === 'cancel') endSubscription(work, sub.id, 'cancellation_requested');
  else if (isWithoutCard && sub.withoutCard === 'pause') {
    setStatus(work, sub.id, 'paused');
    announce(work, 'customer.subscription.paused', 'subscriptions', sub.id);
  } else renew(work, sub);
}

function renew(work: Work, sub: Subscription): void {
  const { draft } = work;
  const periodNumber = sub.periodNumber + 1;
  const renewed = draft.put('subscriptions', {
    ...sub,
    status: sub.status === 'trialing' ? 'active' : sub.status,
    periodNumber,
    periodStart: sub.periodEnd,
    periodEnd: monthsAfter(sub.anchor, periodNumber),
  });
  draftInvoice(work, renewed, {
    reason: 'subscription_cycle',
    lines: [periodLine(work, renewed, stored(draft, 'prices', renewed.price))],
    // An unpaid subscription makes no more payment attempts: its invoices stay drafts.
    ...(sub.status === 'unpaid' ? {} : { finalizesAt: work.atS + DRAFT_S }),
  });
  announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
}

export function closeDraft(work: Work, invoice: Invoice): void {
  finalize(work, invoice.id);
  tryRenewalPayment(work, invoice.id);
}

/** Retries a declined payment later. After the last attempt the subscription ends, or stays, as the settings say. */
export function tryRenewalPayment(work: Work, invoiceId: string): void {
  const { draft } = work;
  const { subscription } = stored(draft, 'invoices', invoiceId);
  const outcome = chargeInvoice(work, invoiceId, { paymentMethod: cardOf(work, subscription) });
  if (outcome.kind === 'paid') afterPaid(work, invoiceId);
  else if (planRetry(work, invoiceId)) setStatus(work, subscription, 'past_due');
  else giveUp(work, subscription);
}

function giveUp(work: Work, subId: string): void {
  const { afterRetries } = settingsOf(work.draft);
  if (afterRetries === 'cancel') endSubscription(work, subId, 'payment_failed');
  else if (afterRetries === 'unpaid') stopCollecting(work, subId);
  else setStatus(work, subId, 'past_due');
}

export function planRetry({ draft, atS }: Work, invoiceId: string): boolean {
  const invoice = stored(draft, 'invoices', invoiceId);
  const firstFailedAt = invoice.firstFailedAt ?? atS;
  const nextAttemptAt = RETRY_AFTER_S.map((wait) => firstFailedAt + wait).find((moment) => moment > atS) ?? null;
  draft.put('invoices', { ...invoice, nextAttemptAt });
  return nextAttemptAt !== null;
}

export function payRenewal(work: Work, invoice: Invoice, attempt: Attempt): CardOutcome {
  const outcome = chargeInvoice(work, invoice.id, attempt);
  if (outcome.kind === 'paid') afterPaid(work, invoice.id);
  return outcome;
}

/** Its invoices are no longer closed or charged automatically. */
function stopCollecting(work: Work, subId: string): void {
  for (const invoice of work.draft.list('invoices'))
    if (invoice.subscription === subId && (invoice.status === 'draft' || invoice.status === 'open'))
      work.draft.put('invoices', { ...invoice, finalizesAt: null, nextAttemptAt: null });
  setStatus(work, subId, 'unpaid');
}
