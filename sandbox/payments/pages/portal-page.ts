/** The page where a customer changes the card, views invoices, and cancels or keeps the plan. */
import { dollars } from '#domain/format/dollars.ts';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { cardOf } from '../engine/payments/charging.ts';
import { attachNewCard } from '../engine/payments/checkout.ts';
import { isEnded } from '../engine/subscription-status.ts';
import { setCancelFlags } from '../engine/subscriptions/cancelling.ts';
import { announce, named, stored } from '../engine/work.ts';
import { declineAtAttaching } from '../model/cards.ts';
import type { PortalSession, Subscription } from '../model/records.ts';
import { PaymentRefusal } from '../model/refusal.ts';
import { cardFields, cardStep, otherCards } from './card-form.ts';
import { INVOICE_LABELS } from './invoice-page.ts';
import { actionMarkup, cardName, dateOf, errorMarkup, formMarkup } from './markup.ts';
import type { PageAnswer, Visit } from './visit.ts';

/** Maximum number shown; older ones are on the site. */
const MAX_INVOICES = 24;

interface Trouble {
  message: string;
  isOfCard: boolean;
}

export function portalPage(visit: Visit): PageAnswer {
  const { engine, id, form } = visit;
  const session = named(engine.state, 'portalSessions', id, { what: 'portal session' });
  const action = form?.get('action') ?? null;
  if (action === 'back' && session.returnUrl !== null) return { location: session.returnUrl };
  const trouble =
    action === null ? null : action === 'card' ? changeCard(visit, session) : changePlan(visit, session, action);
  return shown(visit, session, trouble);
}

function changeCard(visit: Visit, { customer }: PortalSession): Trouble | null {
  const { engine } = visit;
  const step = cardStep(
    visit,
    engine.read((hand) => hand.siteS),
  );
  if ('error' in step) return { message: step.error, isOfCard: true };
  const decline = declineAtAttaching(step.card);
  if (decline !== null) return { message: decline.message, isOfCard: true };
  engine.perform((hand) => {
    const { draft } = hand;
    const work = hand.workFor(customer);
    const { id } = attachNewCard(work, customer, step.card);
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
  if (sub === null) return { message: 'There is no plan to change.', isOfCard: false };
  try {
    visit.engine.perform((hand) => {
      const work = hand.workFor(customer);
      // The period of a paused plan may be over.
      const at = action === 'cancel' ? Math.max(sub.periodEnd, work.atS + 1) : null;
      setCancelFlags(work, sub, { atPeriodEnd: false, at });
      announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
    });
    return null;
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    return {
      message: 'A plan change is already scheduled. Undo it on the site first.',
      isOfCard: false,
    };
  }
}

function shown(visit: Visit, session: PortalSession, trouble: Trouble | null): PageAnswer {
  const error = errorMarkup(trouble?.message ?? null);
  const back = session.returnUrl === null ? '' : actionMarkup('back', 'Back to the site');
  const isOfCard = trouble?.isOfCard ?? false;
  const body = `${isOfCard ? '' : error}${planMarkup(visit, session)}${cardMarkup(visit, session, isOfCard ? error : '')}${invoicesMarkup(visit, session)}${back}`;
  return { status: trouble === null ? 200 : 402, title: 'Your plan', body };
}

function planMarkup(visit: Visit, { customer }: PortalSession): string {
  const { state: store } = visit.engine;
  const sub = liveOf(visit, customer);
  if (sub === null) return '<section><p role="status">You have no plan.</p></section>';
  const price = stored(store, 'prices', sub.price);
  const { name } = stored(store, 'products', price.product);
  const button = sub.cancelAt === null ? actionMarkup('cancel', 'Cancel plan') : actionMarkup('keep', 'Keep plan');
  return `<section class="row"><div><h2>${escapeHtml(name)}</h2>
<p>${dollars(price.unitAmount)} per month</p><p class="note" role="status">${describeRenewal(sub)}</p></div>${button}</section>`;
}

function describeRenewal(sub: Subscription): string {
  if (sub.cancelAt !== null) return `The plan ends on ${dateOf(sub.cancelAt)}.`;
  switch (sub.status) {
    case 'trialing':
      return `The trial ends on ${dateOf(sub.periodEnd)}. After that, you pay monthly.`;
    case 'past_due':
    case 'unpaid':
      return 'The last payment failed. Pay the open invoice below, or change your card.';
    case 'incomplete':
      return 'Your first payment is still due. Pay the open invoice below.';
    case 'paused':
      return 'The plan is paused.';
    default:
      return `The plan renews on ${dateOf(sub.periodEnd)}.`;
  }
}

function cardMarkup(visit: Visit, { customer }: PortalSession, error: string): string {
  const sub = liveOf(visit, customer);
  const card = visit.engine.read((hand) => {
    if (sub !== null) return cardOf(hand.workFor(customer), sub.id)?.card ?? null;
    const defaultCard = stored(hand.draft, 'customers', customer).defaultPaymentMethod;
    return defaultCard === null ? null : (hand.draft.get('paymentMethods', defaultCard)?.card ?? null);
  });
  const text =
    card === null
      ? 'No card on file.'
      : `${cardName(card)}, until ${String(card.expMonth).padStart(2, '0')}/${card.expYear}`;
  return `<section><h2>Card</h2><p>${text}</p>
<details${error === '' ? '' : ' open'}><summary>Change card</summary>${error}${formMarkup(cardFields(error !== '', 'New card'), [['card', 'Save card']])}${otherCards()}</details></section>`;
}

function invoicesMarkup({ engine }: Visit, { customer }: PortalSession): string {
  const pagesUrl = engine.read((hand) => hand.pagesUrl);
  const rows = engine.state
    .list('invoices')
    .filter((invoice) => invoice.customer === customer && invoice.number !== null)
    .toReversed()
    .slice(0, MAX_INVOICES)
    .map(
      ({ id, number, created, due, status }) =>
        `<tr><td><a href="${escapeHtml(`${pagesUrl}/invoice/${id}`)}">${escapeHtml(number ?? '')}</a></td><td>${dateOf(created)}</td><td class="sum">${dollars(due)}</td><td>${INVOICE_LABELS[status]}</td></tr>`,
    );
  if (rows.length === 0) return '<section><h2>Invoices</h2><p>No invoices yet.</p></section>';
  return `<section><h2>Invoices</h2><table><thead><tr><th scope="col">Number</th><th scope="col">Date</th><th scope="col" class="sum">Amount</th><th scope="col">State</th></tr></thead>
<tbody>${rows.join('')}</tbody></table></section>`;
}

function liveOf({ engine }: Visit, customer: string): Subscription | null {
  return engine.state.list('subscriptions').findLast((sub) => sub.customer === customer && !isEnded(sub)) ?? null;
}
