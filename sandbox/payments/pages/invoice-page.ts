import { dollars } from '#domain/format/dollars.ts';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { attachCard, looseCard } from '../engine/payments/checkout.ts';
import { payInvoice } from '../engine/payments/open-invoice.ts';
import { announce, named, stored } from '../engine/work.ts';
import type { CardOutcome } from '../model/cards.ts';
import type { Invoice } from '../model/records.ts';
import { type CardStep, cardFields, cardStep, consentPage, otherCards } from './card-form.ts';
import { amountsMarkup, dateOf, errorMarkup, formMarkup, linkMarkup, priceMarkup } from './markup.ts';
import type { PageAnswer, Visit } from './visit.ts';

export const INVOICE_LABELS = {
  draft: 'Not due yet',
  open: 'Open',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Uncollectible',
} as const satisfies Record<Invoice['status'], string>;

export function invoicePage(visit: Visit): PageAnswer {
  const { engine, id, form, held } = visit;
  const invoice = named(engine.state, 'invoices', id, { what: 'invoice' });
  if (form === null || invoice.status !== 'open') return shown(visit, null);
  const step = cardStep(
    visit,
    engine.read((hand) => hand.siteS),
  );
  if ('error' in step) return shown(visit, step.error);
  const outcome = payWith(visit, invoice, step);
  if (outcome.kind === 'declined') return shown(visit, outcome.decline.message);
  if (outcome.kind === 'paid') return shown(visit, null);
  return consentPage({ cents: invoice.due, card: step.card, held: held.hold(step.card) });
}

/** A card that pays becomes the subscription's and pays the next months too; a failed card is not attached. */
function payWith(
  { engine }: Visit,
  invoice: Invoice,
  { card, hasConsent }: Exclude<CardStep, { error: string }>,
): CardOutcome {
  return engine.perform((hand) => {
    const { draft } = hand;
    const work = hand.workFor(invoice.customer);
    const paymentMethod = looseCard(work, card);
    const outcome = payInvoice(work, invoice, { paymentMethod, isFirst: true, hasConsent });
    if (outcome.kind !== 'paid') return outcome;
    const { id } = attachCard(work, invoice.customer, paymentMethod);
    draft.put('subscriptions', { ...stored(draft, 'subscriptions', invoice.subscription), defaultPaymentMethod: id });
    announce(work, 'customer.subscription.updated', 'subscriptions', invoice.subscription);
    return outcome;
  });
}

function shown({ engine, id }: Visit, error: string | null): PageAnswer {
  const invoice = stored(engine.state, 'invoices', id);
  const { status, lines, total, due } = invoice;
  const rows = lines.map(({ description, amount }): [string, string] => [description, dollars(amount)]);
  if (due !== total) rows.push(['Balance', dollars(due - total)]);
  rows.push([status === 'paid' ? 'Paid' : 'Due', dollars(due)]);
  const when = invoice.paidAt === null ? `Issued on ${dateOf(invoice.created)}` : `Paid on ${dateOf(invoice.paidAt)}`;
  const summary = `<section aria-label="What it is for"><p class="state${status === 'paid' ? ' good' : ''}" role="status">${INVOICE_LABELS[status]}</p>
${priceMarkup(due, '')}${amountsMarkup(rows)}<p class="note">${when}</p></section>`;
  const payment =
    status === 'open'
      ? `<section aria-label="Payment">${errorMarkup(error)}${formMarkup(cardFields(error !== null), [['pay', 'Pay']])}${otherCards()}</section>`
      : '';
  const address = `${engine.read((hand) => hand.pagesUrl)}/invoice/${id}`;
  return {
    status: error === null ? 200 : 402,
    title: `Invoice ${invoice.number ?? ''}`.trim(),
    body: `<div class="${payment === '' ? 'whole' : 'halves'}">${summary}${payment}</div>${linkMarkup(siteOf(engine.state.list('sessions'), invoice), 'Back to the site')}<p class="note address">${escapeHtml(address)}</p>`,
  };
}

/** The site of the customer's last checkout, because the invoice page itself has no return address. */
function siteOf(
  sessions: readonly { customer: string; cancelUrl: string | null }[],
  { customer }: Invoice,
): string | null {
  return sessions.findLast((session) => session.customer === customer)?.cancelUrl ?? null;
}
