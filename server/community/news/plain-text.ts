/**
 * Text of strangers as plain text: no markup, no entities, nothing that is not seen or that turns the direction of what
 * stands around it. Shown as text alone; this keeps it readable, and the page's own order intact.
 */
import { decodeHTML } from 'entities';

/** Beyond this nothing is looked at: a summary is a few hundred characters long. */
const READ_CHARS = 20_000;
const HIDDEN_CONTENT = /<(script|style|noscript|template|iframe)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const BLOCK_TAG =
  /<\/?(?:p|br|hr|div|li|ul|ol|tr|td|th|table|h[1-6]|blockquote|section|article|figure|figcaption|img)\b[^<>]*>?/gi;
const OTHER_TAG = /<!--[\s\S]*?(?:-->|$)|<[/!?a-z][^<>]*>?/gi;
/** Overrides and isolates of direction, marks of no width, tags; the joiners that scripts and emoji need stay. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
/** Heaped upon one letter they reach into the lines around. */
const MARKS = /(\p{M}{3})\p{M}+/gu;

/**
 * @param html  markup or plain text: feeds do not say reliably which
 * @param maxLength  in code points, with the ellipsis where something was cut
 * @returns null where nothing is left
 */
export function plainText(html: string | null | undefined, maxLength: number): string | null {
  // Twice: some feeds escape what is escaped already.
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

function cut(text: string, maxLength: number): string {
  const points = [...text];
  if (points.length <= maxLength) return text;
  return `${points
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}
