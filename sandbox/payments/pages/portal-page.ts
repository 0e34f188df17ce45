/** The page where a customer changes the card, views invoices, and cancels or keeps the plan. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import { cardOf } from '../engine/payments/charging.ts';
import { attachCard } from '../engine/payments/checkout.ts';
import { isEnded } from '../engine/standing.ts';
import { setCancelFlags } from '../engine/subscriptions/cancelling.ts';
import { announce, named, stored } from '../engine/work.ts';
import { declineAtKeeping } from '../model/cards.ts';
import type { PortalSession, Subscription } from '../model/records.ts';
import { Refusal } from '../model/refusal.ts';
import { cardFields, otherCards } from './card-form.ts';
import { cardStep } from './card-step.ts';
import { INVOICE_WORDS } from './invoice-page.ts';
import { actionMarkup, cardName, dateOf, dollars, errorMarkup, formMarkup, shortDateOf } from './markup.ts';
import type { PageAnswer, Visit } from './visit.ts';

/** Maximum number shown; older ones are on the site. */
const MAX_INVOICES = 24;

/** The reason for a failure, and whether the card caused it. */
interface Trouble {
  sentence: string;
  isOfCard: boolean;
}

/** @throws Refusal for an unknown session */
export function portalPage(visit: Visit): PageAnswer {
  const { desk, id, form } = visit;
  const session = named(desk.books, 'portalSessions', id, { what: 'portal session' });
  const action = form?.get('action') ?? null;
  if (action === 'back' && session.returnUrl !== null) return { location: session.returnUrl };
  const trouble =
    action === null ? null : action === 'card' ? changeCard(visit, session) : changePlan(visit, session, action);
  return shown(visit, session, trouble);
}

function changeCard(visit: Visit, { customer }: PortalSession): Trouble | null {
  const { desk } = visit;
  const step = cardStep(
    visit,
    desk.look((hand) => hand.siteS),
  );
  if ('error' in step) return { sentence: step.error, isOfCard: true };
  const decline = declineAtKeeping(step.card);
  if (decline !== null) return { sentence: decline.message, isOfCard: true };
  desk.perform((hand) => {
    const { draft } = hand;
    const work = hand.workFor(customer);
    const { id } = attachCard(work, customer, step.card);
    draft.put('customers', { ...stored(draft, 'customers', customer), defaultPaymentMethod: id });
    announce(work, 'customer.updated', 'customers', customer);
    const sub = liveOf(visit, customer);
    if (sub === null) return;
    draft.put('subscriptions', { ...sub, defaultPaymentMethod: id });
    announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
  });
  return null;
}

/** The portal sets a time, not the flag, as the provider's does. */
function changePlan(visit: Visit, { customer }: PortalSession, action: string): Trouble | null {
  const sub = liveOf(visit, customer);
  if (sub === null) return { sentence: 'There is no plan to change.', isOfCard: false };
  try {
    visit.desk.perform((hand) => {
      const work = hand.workFor(customer);
      // The period of a paused plan may be over.
      const at = action === 'cancel' ? Math.max(sub.periodEnd, work.atS + 1) : null;
      setCancelFlags(work, sub, { atPeriodEnd: false, at });
      announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
    });
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return {
      sentence: 'Another change of this plan is planned already. Undo it on the site first.',
      isOfCard: false,
    };
  }
}

function shown(visit: Visit, session: PortalSession, trouble: Trouble | null): PageAnswer {
  const error = errorMarkup(trouble?.sentence ?? null);
  const back = session.returnUrl === null ? '' : actionMarkup('back', 'Back to the site');
  const isOfCard = trouble?.isOfCard ?? false;
  const body = `${isOfCard ? '' : error}${planMarkup(visit, session)}${cardMarkup(visit, session, isOfCard ? error : '')}${invoicesMarkup(visit, session)}${back}`;
  return { status: trouble === null ? 200 : 402, title: 'Your plan', body };
}

function planMarkup(visit: Visit, { customer }: PortalSession): string {
  const { books } = visit.desk;
  const sub = liveOf(visit, customer);
  if (sub === null) return '<section><p role="status">There is no running plan.</p></section>';
  const price = stored(books, 'prices', sub.price);
  const { name } = stored(books, 'products', price.product);
  const button = sub.cancelAt === null ? actionMarkup('cancel', 'Cancel plan') : actionMarkup('keep', 'Keep plan');
  return `<section class="row"><div><h2>${escapeHtml(name)}</h2>
<p>${dollars(price.unitAmount)} per month</p><p class="note" role="status">${sentenceOf(sub)}</p></div>${button}</section>`;
}

function sentenceOf(sub: Subscription): string {
  if (sub.cancelAt !== null) return `The plan ends on ${dateOf(sub.cancelAt)}.`;
  switch (sub.status) {
    case 'trialing':
      return `The trial ends on ${dateOf(sub.periodEnd)}; then the plan is paid each month.`;
    case 'past_due':
    case 'unpaid':
      return 'The last payment failed. Pay the open invoice below, or change the card.';
    case 'incomplete':
      return 'The first payment is still to be made: pay the open invoice below.';
    case 'paused':
      return 'The plan is paused.';
    default:
      return `The plan renews on ${dateOf(sub.periodEnd)}.`;
  }
}

function cardMarkup(visit: Visit, { customer }: PortalSession, error: string): string {
  const sub = liveOf(visit, customer);
  const card = visit.desk.look((hand) => {
    if (sub !== null) return cardOf(hand.workFor(customer), sub.id)?.card ?? null;
    const kept = stored(hand.draft, 'customers', customer).defaultPaymentMethod;
    return kept === null ? null : (hand.draft.get('paymentMethods', kept)?.card ?? null);
  });
  const words =
    card === null
      ? 'There is no card.'
      : `${cardName(card)}, until ${String(card.expMonth).padStart(2, '0')}/${card.expYear}`;
  return `<section><h2>Card</h2><p>${words}</p>
<details${error === '' ? '' : ' open'}><summary>Change card</summary>${error}${formMarkup(cardFields(error !== '', 'New card'), [['card', 'Save card']])}${otherCards()}</details></section>`;
}

function invoicesMarkup({ desk }: Visit, { customer }: PortalSession): string {
  const pagesUrl = desk.look((hand) => hand.pagesUrl);
  const rows = desk.books
    .list('invoices')
    .filter((invoice) => invoice.customer === customer && invoice.number !== null)
    .toReversed()
    .slice(0, MAX_INVOICES)
    .map(
      ({ id, number, created, due, status }) =>
        `<tr><td><a href="${escapeHtml(`${pagesUrl}/invoice/${id}`)}">${escapeHtml(number ?? '')}</a></td><td>${shortDateOf(created)}</td><td class="sum">${dollars(due)}</td><td>${INVOICE_WORDS[status]}</td></tr>`,
    );
  if (rows.length === 0) return '<section><h2>Invoices</h2><p>There are none yet.</p></section>';
  return `<section><h2>Invoices</h2><table><thead><tr><th scope="col">Number</th><th scope="col">Date</th><th scope="col" class="sum">Amount</th><th scope="col">State</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></section>`;
}

/** The newest that has not ended. */
function liveOf({ desk }: Visit, customer: string): Subscription | null {
  return desk.books.list('subscriptions').findLast((sub) => sub.customer === customer && !isEnded(sub)) ?? null;
}
