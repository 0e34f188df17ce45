/** The page for buying a plan. A declined card leaves it open. */
import { dollars } from '#domain/format/dollars.ts';
import { completeSession } from '../engine/payments/checkout.ts';
import { named, stored } from '../engine/work.ts';
import { settle } from '../model/money.ts';
import type { CheckoutSession } from '../model/records.ts';
import { cardFields, cardStep, consentPage, otherCards } from './card-form.ts';
import { amountsMarkup, errorMarkup, formMarkup, linkMarkup, priceMarkup } from './markup.ts';
import type { PageAnswer, Visit } from './visit.ts';

export function checkoutPage(visit: Visit): PageAnswer {
  const { engine, id, form, held } = visit;
  const session = named(engine.state, 'sessions', id, { what: 'checkout.session' });
  // A second click on Pay redirects as the first one did.
  if (session.status === 'complete') return form === null ? completePage(session) : { location: successUrl(session) };
  if (session.status === 'expired') return expiredPage(session);
  if (form === null) return payPage(visit, session, null);
  if (form.get('action') === 'back' && session.cancelUrl !== null) return { location: session.cancelUrl };
  const step = cardStep(
    visit,
    engine.read((hand) => hand.siteS),
  );
  if ('error' in step) return payPage(visit, session, step.error);
  const result = engine.perform((hand) => completeSession(hand.workFor(session.customer), session, step));
  if (result.kind === 'complete') return { location: successUrl(session) };
  if (result.kind === 'declined') return payPage(visit, session, result.message);
  return consentPage({ cents: factsOf(visit, session).dueCents, card: step.card, held: held.hold(step.card) });
}

function payPage(visit: Visit, session: CheckoutSession, error: string | null): PageAnswer {
  const { name, priceCents, dueCents } = factsOf(visit, session);
  const buttons: [string, string][] = [['pay', 'Pay']];
  if (session.cancelUrl !== null) buttons.push(['back', 'Back']);
  const lines: [string, string][] = [[`${name}, one month`, dollars(priceCents)]];
  if (dueCents !== priceCents) lines.push(['Balance', dollars(dueCents - priceCents)]);
  lines.push(['Due today', dollars(dueCents)]);
  const summary = `<section aria-label="What is bought">${priceMarkup(priceCents, 'per month')}${amountsMarkup(lines)}
<p class="note">Renews each month until you cancel.</p></section>`;
  const payment = `<section aria-label="Payment">${errorMarkup(error)}${formMarkup(cardFields(error !== null), buttons)}${otherCards()}</section>`;
  return {
    status: error === null ? 200 : 402,
    title: `Subscribe to ${name}`,
    body: `<div class="halves">${summary}${payment}</div>`,
  };
}

function completePage(session: CheckoutSession): PageAnswer {
  const body = `<p class="state good" role="status">Paid</p><p>Your plan has begun. There is nothing left to do here.</p>${linkMarkup(successUrl(session), 'Back to the site')}`;
  return { status: 200, title: 'Thank you', body };
}

function expiredPage({ cancelUrl }: CheckoutSession): PageAnswer {
  const body = `<p class="state" role="status">Expired</p><p>Nothing was paid. Choose the plan again on the site to get a new page.</p>${linkMarkup(cancelUrl, 'Back to the site')}`;
  return { status: 410, title: 'This page has expired', body };
}

function factsOf({ engine }: Visit, { price: priceId, customer }: CheckoutSession) {
  const price = stored(engine.state, 'prices', priceId);
  const { dueCents } = settle(price.unitAmount, stored(engine.state, 'customers', customer).balance);
  return { name: stored(engine.state, 'products', price.product).name, priceCents: price.unitAmount, dueCents };
}

function successUrl({ successUrl: url, id }: CheckoutSession): string {
  return url.replaceAll('{CHECKOUT_SESSION_ID}', id);
}
