/** Removes characters from a foreign service's text that could harm a page or the database. */

/** Control characters, direction overrides and invisible characters. Joiners stay, because they belong to words. */
const UNWANTED = /(?![\t\n\u200C\u200D])[\p{Cc}\p{Cf}]/gu;
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Marks stacked on one letter overlap the lines above and below. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** Returns a single line. @param maxLength  in characters; a longer one ends in an ellipsis */
export function foreignLine(text: string, maxLength: number): string {
  return cut(foreignParagraphs(text, text.length).replace(/\s+/g, ' ').trim(), maxLength);
}

/** Preserves lines, with at most one empty line between two. */
export function foreignParagraphs(text: string, maxLength: number): string {
  const plain = text
    .toWellFormed()
    .replace(LINE_ENDS, '\n')
    .replace(UNWANTED, '')
    .replace(STACKED_MARKS, '$1')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return cut(plain, maxLength);
}

/** Never cuts through the middle of a character. */
function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${Array.from(text.slice(0, maxLength)).slice(0, -1).join('').trimEnd()}…`;
}
