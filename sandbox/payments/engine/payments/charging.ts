/** Charges a card for an open invoice. The caller applies the result to the subscription. */
import { type CardOutcome, type CardUse, declineOf, outcomeOf } from '../../model/cards.ts';
import type { Charge, Invoice, Metadata, PaymentIntent, PaymentMethod, Refund } from '../../model/records.ts';
import { declined, invalid, type PaymentRefusal } from '../../model/refusal.ts';
import { announce, stored, type Work } from '../work.ts';

export interface Attempt {
  paymentMethod: PaymentMethod | null;
  isFirst?: boolean;
  hasConsent?: boolean;
}

const NO_CARD: CardOutcome = {
  kind: 'declined',
  decline: { code: 'invoice_payment_intent_requires_action', declineCode: null, message: 'There is no card on file.' },
};

/** An open invoice of zero is paid without a card. */
export function chargeInvoice(work: Work, invoiceId: string, attempt: Attempt): CardOutcome {
  const { draft, atS } = work;
  const invoice = stored(draft, 'invoices', invoiceId);
  const attempted: Invoice = { ...invoice, attempts: invoice.attempts + 1 };
  if (invoice.due === 0 || invoice.paymentIntent === null) {
    markPaid(work, attempted);
    return { kind: 'paid' };
  }
  const { paymentMethod, isFirst = false, hasConsent = false } = attempt;
  const outcome =
    paymentMethod === null
      ? NO_CARD
      : chargeOutcome(work, { customer: invoice.customer, paymentMethod, use: { isFirst, hasConsent } });
  const intent = stored(draft, 'paymentIntents', invoice.paymentIntent);
  if (outcome.kind === 'consent_needed') {
    draft.put('paymentIntents', { ...intent, status: 'requires_action', paymentMethod: paymentMethod?.id ?? null });
    draft.put('invoices', { ...attempted, firstFailedAt: invoice.firstFailedAt ?? atS });
    announce(work, 'payment_intent.requires_action', 'paymentIntents', intent.id);
    announce(work, 'invoice.payment_action_required', 'invoices', invoice.id);
    return outcome;
  }
  recordCharge(work, { intent, paymentMethod, outcome });
  if (outcome.kind === 'paid') markPaid(work, attempted);
  else {
    draft.put('invoices', { ...attempted, firstFailedAt: invoice.firstFailedAt ?? atS });
    announce(work, 'invoice.payment_failed', 'invoices', invoice.id);
  }
  return outcome;
}

/** Outcome of a charge. A decline planned for this customer takes precedence, and is used up. */
export function chargeOutcome(
  { draft }: Work,
  { customer: id, paymentMethod, use }: { customer: string; paymentMethod: Pick<PaymentMethod, 'card'>; use: CardUse },
): CardOutcome {
  const customer = stored(draft, 'customers', id);
  const { nextDeclines } = customer;
  if (nextDeclines === null) return outcomeOf(paymentMethod.card.behaviour, use);
  const times = nextDeclines.times - 1;
  draft.put('customers', { ...customer, nextDeclines: times === 0 ? null : { ...nextDeclines, times } });
  return { kind: 'declined', decline: declineOf(nextDeclines.behaviour) };
}

export function cardOf({ draft }: Work, subId: string): PaymentMethod | null {
  const sub = stored(draft, 'subscriptions', subId);
  const id = sub.defaultPaymentMethod ?? stored(draft, 'customers', sub.customer).defaultPaymentMethod;
  return id === null ? null : draft.get('paymentMethods', id);
}

export function refusalOf(outcome: Exclude<CardOutcome, { kind: 'paid' }>): PaymentRefusal {
  if (outcome.kind === 'declined') return declined(outcome.decline);
  const message = 'Your card was declined. This transaction requires authentication.';
  return declined({ code: 'authentication_required', declineCode: 'authentication_required', message });
}

/** Without a card there is no charge, only a failed payment. */
function recordCharge(
  work: Work,
  facts: { intent: PaymentIntent; paymentMethod: PaymentMethod | null; outcome: CardOutcome },
): void {
  const { draft, atS } = work;
  const { intent, paymentMethod, outcome } = facts;
  const decline = outcome.kind === 'declined' ? outcome.decline : null;
  const charge =
    paymentMethod === null
      ? null
      : draft.put('charges', {
          id: draft.newId('ch'),
          created: atS,
          customer: intent.customer,
          paymentIntent: intent.id,
          paymentMethod: paymentMethod.id,
          amount: intent.amount,
          refunded: 0,
          failureCode: decline?.code ?? null,
          failureMessage: decline?.message ?? null,
        });
  draft.put('paymentIntents', {
    ...intent,
    status: decline === null ? 'succeeded' : 'requires_payment_method',
    paymentMethod: decline === null ? (paymentMethod?.id ?? null) : null,
    latestCharge: charge?.id ?? intent.latestCharge,
  });
  const end = decline === null ? 'succeeded' : 'failed';
  if (charge !== null) announce(work, `charge.${end}`, 'charges', charge.id);
  announce(
    work,
    decline === null ? 'payment_intent.succeeded' : 'payment_intent.payment_failed',
    'paymentIntents',
    intent.id,
  );
}

function markPaid(work: Work, invoice: Invoice): void {
  work.draft.put('invoices', { ...invoice, status: 'paid', paidAt: work.atS, nextAttemptAt: null });
  announce(work, 'invoice.paid', 'invoices', invoice.id);
  announce(work, 'invoice.payment_succeeded', 'invoices', invoice.id);
}

export interface NewRefund {
  /** Cents; null: the remaining amount. */
  amount: number | null;
  reason: string | null;
  metadata: Metadata;
}

/** @throws PaymentRefusal */
export function refund(work: Work, charge: Charge, facts: NewRefund): Refund {
  const left = charge.amount - charge.refunded;
  if (charge.failureCode !== null) throw invalid('A failed charge cannot be refunded.', { param: 'charge' });
  if (left === 0) throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = facts.amount ?? left;
  if (amount < 1 || amount > left)
    throw invalid(`Refund amount (${amount}) is not between 1 and the unrefunded amount (${left}).`, {
      param: 'amount',
    });
  const { draft, atS } = work;
  draft.put('charges', { ...charge, refunded: charge.refunded + amount });
  const created = draft.put('refunds', {
    id: draft.newId('re'),
    created: atS,
    charge: charge.id,
    paymentIntent: charge.paymentIntent,
    amount,
    reason: facts.reason,
    metadata: facts.metadata,
  });
  announce(work, 'charge.refunded', 'charges', charge.id);
  announce(work, 'refund.created', 'refunds', created.id);
  return created;
}
