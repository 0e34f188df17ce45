/** The hosted pages as text: no script, one style sheet, and on each the word that no money moves. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import type { InvoiceLine } from '../model/records.ts';

export const BANNER = 'Test payments - no real money';

export interface PageFacts {
  title: string;
  /** Path of the style sheet. */
  stylePath: string;
  /** HTML. */
  body: string;
}

export function pageMarkup({ title, stylePath, body }: PageFacts): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${escapeHtml(title)} – ${BANNER}</title>
<link rel="stylesheet" href="${escapeHtml(stylePath)}"></head>
<body><main><p class="banner">${BANNER}</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main></body></html>
`;
}

/** @param error  a sentence about the last try; null: there was none */
export function errorMarkup(error: string | null): string {
  return error === null ? '' : `<p class="error" role="alert">${escapeHtml(error)}</p>`;
}

const HINTS = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0027 6000 3184', 'asks for consent'],
] as const;

/** Number, expiry and code, filled so that `Pay` alone needs a number. */
export function cardFields(): string {
  return `<label>Card number <input name="number" inputmode="numeric" autocomplete="off" spellcheck="false" maxlength="30" placeholder="4242 4242 4242 4242"></label>
<div class="pair"><label>Expiry (MM / YY) <input name="expiry" inputmode="numeric" autocomplete="off" maxlength="9" value="12 / 34"></label>
<label>CVC <input name="cvc" inputmode="numeric" autocomplete="off" maxlength="4" value="123"></label></div>
<ul class="note">${HINTS.map(([number, effect]) => `<li><span class="number">${number}</span> ${effect}</li>`).join('')}</ul>
<p class="note">Real cards are refused.</p>`;
}

export function amountsMarkup(lines: readonly (readonly [string, string])[]): string {
  return `<dl>${lines.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>`;
}

export function lineOf({ description, amount }: InvoiceLine): readonly [string, string] {
  return [description, dollars(amount)];
}

export function dollars(cents: number): string {
  return `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;
}

/** A form that posts to the page's own address. @param fields  HTML */
export function formMarkup(fields: string, buttons: readonly (readonly [string, string])[]): string {
  const all = buttons.map(
    ([value, label], index) =>
      `<button name="action" value="${escapeHtml(value)}"${index === 0 ? ' class="primary"' : ' formnovalidate'}>${escapeHtml(label)}</button>`,
  );
  return `<form method="post">${fields}<p>${all.join(' ')}</p></form>`;
}
