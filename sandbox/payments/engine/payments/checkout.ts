/** A checkout session: open until paid or expired. A declined card leaves it open and stores nothing. */
import type { TestCard } from '../../model/cards.ts';
import type { CheckoutSession, PaymentMethod } from '../../model/records.ts';
import { invalid } from '../../model/refusal.ts';
import { firstInvoice, newSubscription } from '../subscriptions/subscribing.ts';
import { announce, type Work } from '../work.ts';
import { chargeInvoice, chargeOutcome } from './charging.ts';

export type CheckoutResult =
  | { kind: 'complete'; session: CheckoutSession }
  | { kind: 'consent_needed' }
  | { kind: 'declined'; message: string };

/** A second session of the same customer creates a second subscription, as at the provider. @throws PaymentRefusal */
export function completeSession(
  work: Work,
  session: CheckoutSession,
  { card, hasConsent }: { card: TestCard; hasConsent: boolean },
): CheckoutResult {
  if (session.status !== 'open') throw invalid('This checkout session is no longer open.');
  const use = { isFirst: true, hasConsent };
  const outcome = chargeOutcome(work, { customer: session.customer, paymentMethod: { card }, use });
  if (outcome.kind === 'declined') return { kind: 'declined', message: outcome.decline.message };
  if (outcome.kind === 'consent_needed') return { kind: 'consent_needed' };
  const { draft } = work;
  const paymentMethod = attachNewCard(work, session.customer, card);
  const sub = newSubscription(work, {
    customer: session.customer,
    price: session.price,
    metadata: session.subscriptionMetadata,
    paymentMethod: paymentMethod.id,
    status: 'active',
  });
  const invoice = firstInvoice(work, sub);
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

export function expireSession(work: Work, session: CheckoutSession): CheckoutSession {
  if (session.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    );
  const expired = work.draft.put('sessions', { ...session, status: 'expired' });
  announce(work, 'checkout.session.expired', 'sessions', session.id);
  return expired;
}

export function attachNewCard(work: Work, customer: string, card: TestCard): PaymentMethod {
  return attachCard(work, customer, looseCard(work, card));
}

export function looseCard({ draft, atS }: Work, card: TestCard): PaymentMethod {
  return draft.put('paymentMethods', { id: draft.newId('pm'), created: atS, customer: null, card });
}

export function attachCard(work: Work, customer: string, card: PaymentMethod): PaymentMethod {
  const attached = work.draft.put('paymentMethods', { ...card, customer });
  announce(work, 'payment_method.attached', 'paymentMethods', card.id);
  return attached;
}
