/** A checkout session: open until paid or expired. A declined card leaves it open and nothing behind. */
import type { Card } from '../model/cards.ts';
import { outcomeOf } from '../model/cards.ts';
import { monthsAfter } from '../model/months.ts';
import type { PaymentMethod, Session, Subscription } from '../model/records.ts';
import { invalid } from '../model/refusal.ts';
import { chargeInvoice } from './charging.ts';
import { draftInvoice, finalize, periodLine } from './invoices.ts';
import { announce, stored, type Work } from './work.ts';

export type CheckoutResult =
  | { kind: 'complete'; session: Session }
  | { kind: 'consent_needed' }
  | { kind: 'declined'; message: string };

/** A second session of the same customer makes a second subscription, as at the provider. @throws Refusal */
export function completeSession(
  work: Work,
  session: Session,
  { card, hasConsent }: { card: Card; hasConsent: boolean },
): CheckoutResult {
  if (session.status !== 'open') throw invalid('This checkout session is no longer open.');
  const outcome = outcomeOf(card.behaviour, { isFirst: true, hasConsent });
  if (outcome.kind === 'declined') return { kind: 'declined', message: outcome.decline.message };
  if (outcome.kind === 'consent_needed') return { kind: 'consent_needed' };
  const { draft } = work;
  const paymentMethod = attachCard(work, session.customer, card);
  const sub = newSubscription(work, session, paymentMethod);
  announce(work, 'customer.subscription.created', 'subscriptions', sub.id);
  const invoice = draftInvoice(work, sub, {
    reason: 'subscription_create',
    lines: [periodLine(work, sub, stored(draft, 'prices', sub.price))],
  });
  finalize(work, invoice.id);
  chargeInvoice(work, invoice.id, { paymentMethod, isFirst: true, hasConsent });
  const completed = draft.put('sessions', {
    ...session,
    status: 'complete',
    subscription: sub.id,
    invoice: invoice.id,
  });
  announce(work, 'checkout.session.completed', 'sessions', session.id);
  return { kind: 'complete', session: completed };
}

/** @throws Refusal when it is not open */
export function expireSession(work: Work, session: Session): Session {
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    );
  const expired = work.draft.put('sessions', { ...session, status: 'expired' });
  announce(work, 'checkout.session.expired', 'sessions', session.id);
  return expired;
}

export function attachCard(work: Work, customer: string, card: Card): PaymentMethod {
  const { draft, atS } = work;
  const paymentMethod = draft.put('paymentMethods', { id: draft.newId('pm'), created: atS, customer, card });
  announce(work, 'payment_method.attached', 'paymentMethods', paymentMethod.id);
  return paymentMethod;
}

function newSubscription({ draft, atS }: Work, session: Session, paymentMethod: PaymentMethod): Subscription {
  return draft.put('subscriptions', {
    id: draft.newId('sub'),
    created: atS,
    customer: session.customer,
    status: 'active',
    itemId: draft.newId('si'),
    price: session.price,
    anchor: atS,
    periodNumber: 1,
    periodStart: atS,
    periodEnd: monthsAfter(atS, 1),
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    endReason: null,
    metadata: session.subscriptionMetadata,
    defaultPaymentMethod: paymentMethod.id,
    latestInvoice: null,
    schedule: null,
    pendingUpdate: null,
  });
}
