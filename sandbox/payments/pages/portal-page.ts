/** The page where a customer changes the card, and ends or keeps the plan. */
import { setCancelFlags } from '../engine/cancelling.ts';
import { attachCard } from '../engine/checkout.ts';
import { announce, named } from '../engine/work.ts';
import type { PortalSession, Subscription } from '../model/records.ts';
import { Refusal } from '../model/refusal.ts';
import { cardStep } from './card-step.ts';
import { cardFields, errorMarkup, formMarkup } from './markup.ts';
import type { PageAnswer, Visit } from './visit.ts';

/** @throws Refusal for one that is not there */
export function portalPage(visit: Visit): PageAnswer {
  const { desk, id, form } = visit;
  const session = named(desk.books, 'portalSessions', id, { what: 'portal session' });
  const action = form?.get('action') ?? null;
  if (action === 'back' && session.returnUrl !== null) return { location: session.returnUrl };
  return shown(visit, session, action === null ? null : changed(visit, session, action));
}

/** @returns a sentence why not, or null */
function changed(visit: Visit, { customer }: PortalSession, action: string): string | null {
  const { desk } = visit;
  const sub = liveOf(visit, customer);
  if (action === 'card') {
    const step = cardStep(
      visit,
      desk.look((hand) => hand.siteS),
    );
    if ('error' in step) return step.error;
    desk.perform((hand) => {
      const work = hand.workFor(customer);
      const { id } = attachCard(work, customer, step.card);
      const row = named(hand.draft, 'customers', customer, { what: 'customer' });
      hand.draft.put('customers', { ...row, defaultPaymentMethod: id });
      announce(work, 'customer.updated', 'customers', customer);
      if (sub === null) return;
      hand.draft.put('subscriptions', { ...sub, defaultPaymentMethod: id });
      announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
    });
    return null;
  }
  if (sub === null) return 'There is no plan to change.';
  // The portal sets a moment, not the flag: so does the provider's.
  const at = action === 'cancel' ? sub.periodEnd : null;
  try {
    desk.perform((hand) => {
      const work = hand.workFor(customer);
      setCancelFlags(work, sub, { atPeriodEnd: false, at });
      announce(work, 'customer.subscription.updated', 'subscriptions', sub.id);
    });
    return null;
  } catch (error) {
    if (error instanceof Refusal) return 'Another change of this plan is planned already. Undo it on the site first.';
    throw error;
  }
}

function shown(visit: Visit, session: PortalSession, error: string | null): PageAnswer {
  const sub = liveOf(visit, session.customer);
  const plan =
    sub === null
      ? '<p>There is no running plan.</p>'
      : `<p role="status">${sub.cancelAt === null ? 'The plan renews' : 'The plan ends'} on ${dateOf(sub.periodEnd)}.</p>
${formMarkup('', [sub.cancelAt === null ? ['cancel', 'Cancel plan'] : ['keep', 'Keep plan']])}`;
  const back = session.returnUrl === null ? '' : formMarkup('', [['back', 'Back to the site']]);
  const body = `${errorMarkup(error)}${plan}<h2>Card</h2>${formMarkup(cardFields(), [['card', 'Save card']])}${back}`;
  return { status: error === null ? 200 : 402, title: 'Your plan', body };
}

function liveOf({ desk }: Visit, customer: string): Subscription | null {
  const isLive = (sub: Subscription) => sub.customer === customer && sub.status !== 'canceled';
  return desk.books.list('subscriptions').find(isLive) ?? null;
}

function dateOf(epochS: number): string {
  return new Date(epochS * 1000).toISOString().slice(0, 10);
}
