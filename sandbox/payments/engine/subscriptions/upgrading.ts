/** Changes the price immediately and charges the difference; until it is paid, the old price stays. */
import type { CardOutcome } from '../../model/cards.ts';
import type { Invoice, Price, Subscription } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { type Attempt, cardOf, chargeInvoice, refusalOf } from '../payments/charging.ts';
import { draftInvoice, finalize, prorationLines, voidInvoice } from '../payments/invoices.ts';
import { afterPaid, isEnded } from '../subscription-status.ts';
import { announce, stored, type Work } from '../work.ts';
import { planRetry } from './renewing.ts';

const PENDING_S = 23 * 3600;

export interface PriceUpdate {
  to: Price;
  /** Epoch seconds within the period; null: now. */
  prorationDate: number | null;
  prorationBehavior: 'always_invoice' | 'none';
  paymentBehavior: 'pending_if_incomplete' | 'allow_incomplete' | 'error_if_incomplete';
}

/** @throws PaymentRefusal; 402 if the caller wants an error for an incomplete payment */
export function changePrice(work: Work, sub: Subscription, update: PriceUpdate): Subscription {
  const { draft } = work;
  if (isEnded(sub)) throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  if (sub.status === 'incomplete')
    throw invalid('A subscription in the `incomplete` status can only have its metadata updated.', { param: 'items' });
  const { to } = update;
  if (to.id === sub.price) return sub;
  if (update.prorationBehavior === 'none') return applyPrice(work, sub.id, to.id);
  if (sub.pendingUpdate !== null) dropPendingUpdate(work, sub);
  const changedAtS = prorationMoment(work, sub, update.prorationDate);
  const invoice = draftInvoice(work, sub, {
    reason: 'subscription_update',
    lines: prorationLines(work, sub, { from: stored(draft, 'prices', sub.price), to, changedAtS }),
    prorationDate: changedAtS,
  });
  finalize(work, invoice.id);
  const outcome = chargeInvoice(work, invoice.id, { paymentMethod: cardOf(work, sub.id) });
  if (outcome.kind === 'paid') {
    applyPrice(work, sub.id, to.id);
    afterPaid(work, invoice.id);
    return stored(draft, 'subscriptions', sub.id);
  }
  if (update.paymentBehavior === 'error_if_incomplete') throw refusalOf(outcome);
  const held = stored(draft, 'subscriptions', sub.id);
  if (update.paymentBehavior === 'allow_incomplete') {
    planRetry(work, invoice.id);
    draft.put('subscriptions', { ...held, status: 'past_due' });
    return applyPrice(work, sub.id, to.id);
  }
  const expiresAt = work.atS + PENDING_S;
  const pendingUpdate = { price: to.id, invoice: invoice.id, expiresAt };
  const waiting = draft.put('subscriptions', { ...held, pendingUpdate });
  announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
  return waiting;
}

/** Start of the prorated rest. @throws PaymentRefusal for a time outside the period */
export function prorationMoment({ atS }: Work, sub: Subscription, prorationDate: number | null): number {
  const moment = prorationDate ?? Math.min(Math.max(atS, sub.periodStart), sub.periodEnd);
  if (moment < sub.periodStart || moment > sub.periodEnd)
    throw invalid('The proration date must lie within the current period.', { param: 'proration_date' });
  return moment;
}

export function payPendingUpdate(work: Work, invoice: Invoice, attempt: Attempt): CardOutcome {
  const sub = stored(work.draft, 'subscriptions', invoice.subscription);
  const outcome = chargeInvoice(work, invoice.id, attempt);
  if (outcome.kind !== 'paid' || sub.pendingUpdate === null) return outcome;
  const { price } = sub.pendingUpdate;
  work.draft.put('subscriptions', { ...stored(work.draft, 'subscriptions', sub.id), pendingUpdate: null });
  applyPrice(work, sub.id, price);
  announce(work, 'customer.subscription.pending_update_applied', 'subscriptions', sub.id);
  afterPaid(work, invoice.id);
  return outcome;
}

export function expirePendingUpdate(work: Work, sub: Subscription): void {
  dropPendingUpdate(work, sub);
  announce(work, 'customer.subscription.pending_update_expired', 'subscriptions', sub.id);
}

function dropPendingUpdate(work: Work, sub: Subscription): void {
  if (sub.pendingUpdate !== null) voidInvoice(work, sub.pendingUpdate.invoice);
  work.draft.put('subscriptions', { ...stored(work.draft, 'subscriptions', sub.id), pendingUpdate: null });
}

function applyPrice(work: Work, subId: string, price: string): Subscription {
  const sub = work.draft.put('subscriptions', { ...stored(work.draft, 'subscriptions', subId), price });
  announce(work, 'customer.subscription.updated', 'subscriptions', subId);
  return sub;
}
