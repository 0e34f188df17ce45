/** Resumes a paused subscription. */
import { monthsAfter } from '../../model/clocks.ts';
import type { Subscription } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { cardOf, chargeInvoice } from '../payments/charging.ts';
import { draftInvoice, finalize, periodLine, voidInvoice } from '../payments/invoices.ts';
import { afterPaid, resume } from '../subscription-status.ts';
import { stored, type Work } from '../work.ts';
import { planRetry } from './renewing.ts';

const RESUMPTION_S = 23 * 3600;

/** Counts its months from now on. @throws PaymentRefusal unless it is paused */
export function resumeSubscription(
  work: Work,
  sub: Subscription,
  payment: 'resume_on_payment_attempt' | 'resume_on_payment_success',
): Subscription {
  const { draft, atS } = work;
  if (sub.status !== 'paused')
    throw invalid(`You can't resume the subscription '${sub.id}' because its status is '${sub.status}', not 'paused'.`);
  if (sub.resumption !== null) voidInvoice(work, sub.resumption.invoice);
  const next = { ...stored(draft, 'subscriptions', sub.id), periodStart: atS, periodEnd: monthsAfter(atS, 1) };
  const lines = [periodLine(work, next, stored(draft, 'prices', sub.price))];
  const { id } = finalize(work, draftInvoice(work, next, { reason: 'subscription_update', lines }).id);
  const resumption = { invoice: id, anchor: atS, expiresAt: atS + RESUMPTION_S };
  draft.put('subscriptions', { ...stored(draft, 'subscriptions', sub.id), resumption });
  const outcome = chargeInvoice(work, id, { paymentMethod: cardOf(work, sub.id) });
  if (outcome.kind === 'paid') afterPaid(work, id);
  else if (payment === 'resume_on_payment_attempt') {
    planRetry(work, id);
    resume(work, sub.id, 'past_due');
  }
  return stored(draft, 'subscriptions', sub.id);
}

export function expireResumption(work: Work, sub: Subscription): void {
  if (sub.resumption !== null) voidInvoice(work, sub.resumption.invoice);
  work.draft.put('subscriptions', { ...stored(work.draft, 'subscriptions', sub.id), resumption: null });
}
