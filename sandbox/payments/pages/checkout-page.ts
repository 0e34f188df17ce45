/** The page where a plan is bought. A declined card leaves it open. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import { completeSession } from '../engine/checkout.ts';
import { named, stored } from '../engine/work.ts';
import type { Session } from '../model/records.ts';
import { cardStep } from './card-step.ts';
import { CONSENT_BUTTONS, CONSENT_NOTE, CONSENT_TITLE } from './held-cards.ts';
import { amountsMarkup, cardFields, dollars, errorMarkup, formMarkup } from './markup.ts';
import type { PageAnswer, Visit } from './visit.ts';

/** @throws Refusal for a session that is not open, or none */
export function checkoutPage(visit: Visit): PageAnswer {
  const { desk, id, form, held } = visit;
  const session = named(desk.books, 'sessions', id, { what: 'checkout.session' });
  if (session.status === 'complete') return { location: successUrl(session) };
  if (session.status === 'expired')
    return { status: 410, title: 'This page has expired', body: `<p>Nothing was paid.</p>${backLink(session)}` };
  if (form === null) return payPage(visit, session, null);
  if (form.get('action') === 'back' && session.cancelUrl !== null) return { location: session.cancelUrl };
  const step = cardStep(
    visit,
    desk.look((hand) => hand.siteS),
  );
  if ('error' in step) return payPage(visit, session, step.error);
  const result = desk.perform((hand) => completeSession(hand.workFor(session.customer), session, step));
  if (result.kind === 'complete') return { location: successUrl(session) };
  if (result.kind === 'declined') return payPage(visit, session, result.message);
  const fields = `${CONSENT_NOTE}<input type="hidden" name="held" value="${held.hold(step.card)}">`;
  return { status: 200, title: CONSENT_TITLE, body: formMarkup(fields, CONSENT_BUTTONS) };
}

function payPage({ desk }: Visit, session: Session, error: string | null): PageAnswer {
  const price = stored(desk.books, 'prices', session.price);
  const name = stored(desk.books, 'products', price.product).name;
  const buttons: [string, string][] = [['pay', 'Pay']];
  if (session.cancelUrl !== null) buttons.push(['back', 'Back']);
  const amounts = amountsMarkup([[`${name}, each month`, dollars(price.unitAmount)]]);
  const body = `${amounts}${errorMarkup(error)}${formMarkup(cardFields(), buttons)}`;
  return { status: error === null ? 200 : 402, title: `Subscribe to ${name}`, body };
}

function successUrl({ successUrl: url, id }: Session): string {
  return url.replaceAll('{CHECKOUT_SESSION_ID}', id);
}

function backLink({ cancelUrl }: Session): string {
  return cancelUrl === null ? '' : `<p><a href="${escapeHtml(cancelUrl)}">Back to the site</a></p>`;
}
