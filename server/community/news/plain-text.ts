/** No markup, entities or invisible characters: it is only shown as text, and must not disturb the page's order. */
import { decodeHTML } from 'entities';

/** Text beyond this is ignored: a summary is a few hundred characters long. */
const READ_CHARS = 20_000;
const HIDDEN_CONTENT = /<(script|style|noscript|template|iframe)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const BLOCK_TAG =
  /<\/?(?:p|br|hr|div|li|ul|ol|tr|td|th|table|h[1-6]|blockquote|section|article|figure|figcaption|img)\b[^<>]*>?/gi;
const OTHER_TAG = /<!--[\s\S]*?(?:-->|$)|<[/!?a-z][^<>]*>?/gi;
/** A longer one is cut in its middle: some scripts put no spaces between words. */
const LONGEST_WORD = 30;
/** Direction overrides and isolates, zero-width marks, tags; joiners that scripts and emoji need stay. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/** Stacked marks on one letter reach into neighbouring lines. */
const MARKS = /(\p{M}{3})\p{M}+/gu;

/**
 * @param html markup or plain text: feeds do not declare reliably which
 * @param maxLength in code points, with the ellipsis. @returns null if nothing is left
 */
export function plainText(html: string | null | undefined, maxLength: number): string | null {
  // Decodes twice, since some feeds escape text twice.
  const text = decodeHTML(withoutTags(decodeHTML(withoutTags((html ?? '').slice(0, READ_CHARS)))));
  const clean = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(UNSEEN, '')
    .replace(MARKS, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  return clean === '' ? null : cut(clean, maxLength);
}

function withoutTags(html: string): string {
  return html.replace(HIDDEN_CONTENT, ' ').replace(BLOCK_TAG, ' ').replace(OTHER_TAG, '');
}

/** Between two words, unless the last one is too long to drop. */
function cut(text: string, maxLength: number): string {
  const points = [...text];
  if (points.length <= maxLength) return text;
  const whole = points.slice(0, maxLength - 1).join('');
  const lastSpace = whole.lastIndexOf(' ');
  const endsInWord = points[maxLength - 1] !== ' ' && whole.length - lastSpace <= LONGEST_WORD;
  return `${(endsInWord ? whole.slice(0, lastSpace) : whole).trimEnd()}…`;
}
