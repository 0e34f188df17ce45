/** An invoice, and the form that pays it while it is open. */
import { attachCard } from '../engine/checkout.ts';
import { payInvoice } from '../engine/paying.ts';
import { named, stored } from '../engine/work.ts';
import type { Invoice } from '../model/records.ts';
import { cardStep } from './card-step.ts';
import { CONSENT_BUTTONS, CONSENT_NOTE, CONSENT_TITLE } from './held-cards.ts';
import { amountsMarkup, cardFields, dollars, errorMarkup, formMarkup, lineOf } from './markup.ts';
import type { PageAnswer, Visit } from './visit.ts';

const WORDS = {
  draft: 'Not due yet',
  open: 'To be paid',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Given up',
} as const;

/** @throws Refusal for one that is not there */
export function invoicePage(visit: Visit): PageAnswer {
  const { desk, id, form, held } = visit;
  const invoice = named(desk.books, 'invoices', id, { what: 'invoice' });
  if (form === null || invoice.status !== 'open') return shown(invoice, null);
  const step = cardStep(
    visit,
    desk.look((hand) => hand.siteS),
  );
  if ('error' in step) return shown(invoice, step.error);
  // A paying card becomes the subscription's, so that the next month is paid by it too.
  const outcome = desk.perform((hand) => {
    const work = hand.workFor(invoice.customer);
    const paymentMethod = attachCard(work, invoice.customer, step.card);
    const paid = payInvoice(work, invoice, { paymentMethod, isFirst: true, hasConsent: step.hasConsent });
    const sub = stored(hand.draft, 'subscriptions', invoice.subscription);
    if (paid.kind === 'paid') hand.draft.put('subscriptions', { ...sub, defaultPaymentMethod: paymentMethod.id });
    return paid;
  });
  if (outcome.kind === 'declined') return shown(stored(desk.books, 'invoices', id), outcome.decline.message);
  if (outcome.kind === 'paid') return shown(stored(desk.books, 'invoices', id), null);
  const fields = `${CONSENT_NOTE}<input type="hidden" name="held" value="${held.hold(step.card)}">`;
  return { status: 200, title: CONSENT_TITLE, body: formMarkup(fields, CONSENT_BUTTONS) };
}

function shown(invoice: Invoice, error: string | null): PageAnswer {
  const amounts = amountsMarkup([...invoice.lines.map(lineOf), ['Due', dollars(invoice.due)]]);
  const form = invoice.status === 'open' ? formMarkup(cardFields(), [['pay', 'Pay']]) : '';
  return {
    status: error === null ? 200 : 402,
    title: `Invoice ${invoice.number ?? ''}`.trim(),
    body: `<p role="status">${WORDS[invoice.status]}</p>${amounts}${errorMarkup(error)}${form}`,
  };
}
