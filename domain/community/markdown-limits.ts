/**
 * Markdown that would keep its reader busy: parsers take a time that grows with the square of open marks, and nest as deep
 * as they are told. Twenty thousand characters made for it cost a minute of a processor, and more depth than a stack has.
 * Whoever shows posts asks here first, and shows such a text as it was written.
 */

/** Of emphasis, links, code and markup, or of quotes and lists: several times as many as a long post has. */
const MAX_MARKS = 800;
const MAX_LINES = 1000;
/** Quotes and lists that begin on one line. */
const MAX_NESTED = 8;
/** Columns before a line's words: deeper lists are read as nested in those above. */
const MAX_INDENT = 40;

const MARKS = /\*+|_+|[[\]<&`\\]/g;
/** What a line begins with: blanks, and marks of quotes and lists. */
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))*/;
const CONTAINER = />|[-+*](?=[ \t]|$)|\d{1,9}[.)]/g;

/** True for text that is shown without its marks' meaning. Takes a time that grows with the text's length alone. */
export function isCostlyMarkdown(content: string): boolean {
  if (countOf(content, MARKS) > MAX_MARKS) return true;
  const lines = content.split(/\r\n?|\n/);
  if (lines.length > MAX_LINES) return true;
  let containers = 0;
  for (const line of lines) {
    const [beginning = ''] = line.match(CONTAINERS) ?? [];
    const nested = countOf(beginning, CONTAINER);
    containers += nested;
    if (nested > MAX_NESTED || containers > MAX_MARKS) return true;
    if (nested > 0 && line.search(/[^ \t]/) > MAX_INDENT) return true;
  }
  return false;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
