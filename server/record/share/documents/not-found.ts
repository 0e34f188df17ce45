/** One document for every name that leads nowhere, so that none of them says why. */
import { documentHtml, katMark } from './document.ts';

export const NOT_FOUND_TEXT =
  'This forecast isn’t available. Its link may be wrong, or its owner may have stopped sharing it.';

export function notFoundPage(style: string): string {
  return documentHtml({
    title: 'Forecast not found – Kat',
    head: '<meta name="robots" content="noindex">',
    style,
    body: `<header class="top"><a class="home" href="/">${katMark(22)}Kat</a></header><main><h1>Forecast not found</h1><p>${NOT_FOUND_TEXT}</p><p><a href="/track-record">See the public record</a></p></main>`,
  });
}

export function notFoundEmbed(style: string): string {
  return documentHtml({
    title: 'Forecast not found – Kat',
    head: '<meta name="robots" content="noindex">',
    style,
    body: `<p class="verdict">${NOT_FOUND_TEXT}</p>`,
  });
}

/** While the shared forecast cannot be made: no venue answers, or its market is closed. */
export function unavailableEmbed(style: string): string {
  return documentHtml({
    title: 'No forecast right now – Kat',
    head: '<meta name="robots" content="noindex"><meta http-equiv="refresh" content="60">',
    style,
    body: '<p class="verdict">There is no forecast right now, because no prices arrive. This part renews itself.</p>',
  });
}
