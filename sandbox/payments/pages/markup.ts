/** HTML of the hosted pages: no script, one style sheet, and a notice on each page that no money moves. */
import { dollars } from '#domain/format/dollars.ts';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import type { TestCard } from '../model/cards.ts';

export const BANNER = 'Test payments - no real money';
const MERCHANT = 'Kat';

export interface PageFacts {
  title: string;
  stylePath: string;
  body: string;
}

/** The site's logo: a cat's eye whose pupil is a candle. */
const MARK =
  '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><path d="M1.5 12C5.5 3.8 18.5 3.8 22.5 12C18.5 20.2 5.5 20.2 1.5 12Z"/><path class="wick" d="M12 6v12"/><path class="pupil" d="M10 8.5h4v7h-4z"/></svg>';

export function pageMarkup({ title, stylePath, body }: PageFacts): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} – ${BANNER}</title>
<link rel="stylesheet" href="${escapeHtml(stylePath)}"></head>
<body><header class="banner">${BANNER}</header>
<main><p class="merchant">${MARK}${MERCHANT}</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
<footer>This page simulates the payment provider. Only test cards work, and nothing is charged.</footer></body></html>
`;
}

export const ERROR_ID = 'payment-error';

/** @param error  message about the last attempt; null: there was none */
export function errorMarkup(error: string | null): string {
  return error === null ? '' : `<p class="error" role="alert" id="${ERROR_ID}">${escapeHtml(error)}</p>`;
}

export function priceMarkup(cents: number, per: string): string {
  return `<p class="price"><strong>${dollars(cents)}</strong> ${escapeHtml(per)}</p>`;
}

/** Names and amounts in rows; the last one is the total. */
export function amountsMarkup(lines: readonly (readonly [string, string])[]): string {
  return `<dl class="amounts">${lines.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`;
}

/** `22 Nov 2026`, in UTC. */
export function dateOf(epochS: number): string {
  return zonedDay(epochS * 1000, 'UTC');
}

/** `Visa ending in 4242`. */
export function cardName({ brand, last4 }: Pick<TestCard, 'brand' | 'last4'>): string {
  return `${brand === 'visa' ? 'Visa' : 'Mastercard'} ending in ${last4}`;
}

/** A form that posts to the page's own address; its first button is the main action. @param fields  HTML */
export function formMarkup(fields: string, buttons: readonly (readonly [string, string])[]): string {
  const all = buttons.map(
    ([value, label], index) =>
      `<button name="action" value="${escapeHtml(value)}"${index === 0 ? ' class="primary"' : ' formnovalidate'}>${escapeHtml(label)}</button>`,
  );
  return `<form method="post">${fields}<div class="buttons">${all.join('')}</div></form>`;
}

/** A secondary button in a form without fields. */
export function actionMarkup(value: string, label: string): string {
  return `<form method="post"><button name="action" value="${escapeHtml(value)}">${escapeHtml(label)}</button></form>`;
}

export function linkMarkup(address: string | null, label: string): string {
  return address === null ? '' : `<p><a class="button" href="${escapeHtml(address)}">${escapeHtml(label)}</a></p>`;
}
