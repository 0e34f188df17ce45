/**
 * Detects Markdown that is too costly to parse. Parsing time grows with the square of open marks, and nesting has no
 * limit. Twenty thousand hostile characters cost a minute of CPU time and overflow the stack. Callers check posts here
 * first and show such a text as plain text.
 */

/** Maximum marks of emphasis, links, code and markup, or of quotes and lists: several times what a long post has. */
const MAX_MARKS = 800;
const MAX_LINES = 1000;
/** Quotes and lists opened on one line. */
const MAX_NESTED = 8;
/** Indentation before a line's text: deeper lists are parsed as nested in those above. */
const MAX_INDENT = 40;

const MARKS = /\*+|_+|[[\]<&`\\]/g;
/** The start of a line: blanks, and marks of quotes and lists. */
const CONTAINERS = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))*/;
const CONTAINER = />|[-+*](?=[ \t]|$)|\d{1,9}[.)]/g;

/** True for text to be shown as plain text. Takes time linear in the text's length. */
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
