/** Paying an open invoice by a card. What a payment means for the subscription is the caller's next step. */
import { type CardOutcome, outcomeOf } from '../model/cards.ts';
import type { Invoice, PaymentMethod } from '../model/records.ts';
import { announce, stored, type Work } from './work.ts';

export interface Attempt {
  /** Null: the customer has none. */
  paymentMethod: PaymentMethod | null;
  isFirst?: boolean;
  hasConsent?: boolean;
}

const NO_CARD: CardOutcome = {
  kind: 'declined',
  decline: { code: 'invoice_payment_intent_requires_action', declineCode: null, message: 'There is no card on file.' },
};

/** An open invoice of nothing is paid without a card. */
export function chargeInvoice(work: Work, invoiceId: string, attempt: Attempt): CardOutcome {
  const { draft, atS } = work;
  const invoice = stored(draft, 'invoices', invoiceId);
  if (invoice.due === 0 || invoice.paymentIntent === null) {
    markPaid(work, { ...invoice, attempts: invoice.attempts + 1 });
    return { kind: 'paid' };
  }
  const { paymentMethod } = attempt;
  const use = { isFirst: attempt.isFirst ?? false, hasConsent: attempt.hasConsent ?? false };
  const outcome = paymentMethod === null ? NO_CARD : outcomeOf(paymentMethod.card.behaviour, use);
  const attempted: Invoice = { ...invoice, attempts: invoice.attempts + 1 };
  const intent = stored(draft, 'paymentIntents', invoice.paymentIntent);
  if (outcome.kind === 'consent_needed') {
    draft.put('paymentIntents', { ...intent, status: 'requires_action', paymentMethod: paymentMethod?.id ?? null });
    draft.put('invoices', { ...attempted, firstFailedAt: invoice.firstFailedAt ?? atS });
    announce(work, 'invoice.payment_action_required', 'invoices', invoice.id);
    return outcome;
  }
  const decline = outcome.kind === 'declined' ? outcome.decline : null;
  const charge =
    paymentMethod === null
      ? null
      : draft.put('charges', {
          id: draft.newId('ch'),
          created: atS,
          customer: invoice.customer,
          paymentIntent: intent.id,
          paymentMethod: paymentMethod.id,
          amount: invoice.due,
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
  if (decline === null) markPaid(work, attempted);
  else {
    draft.put('invoices', { ...attempted, firstFailedAt: invoice.firstFailedAt ?? atS });
    announce(work, 'invoice.payment_failed', 'invoices', invoice.id);
  }
  return outcome;
}

function markPaid(work: Work, invoice: Invoice): void {
  work.draft.put('invoices', { ...invoice, status: 'paid', paidAt: work.atS, nextAttemptAt: null });
  announce(work, 'invoice.paid', 'invoices', invoice.id);
}
