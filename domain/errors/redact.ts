/**
 * Removes from a text what must not be stored: tokens, keys, email addresses, query strings and fragments. Pages redact
 * their reports and the server redacts them again, so redacting twice changes nothing. The time grows with `maxBytes`,
 * whatever the text's length and content.
 */
import { utf8Bytes } from '../format/utf8-bytes.ts';

type Replacement = string | ((...match: string[]) => string);

/** Each pattern starts at one place of a run and never reads a run twice, so none takes quadratic time. */
const RULES: readonly (readonly [RegExp, Replacement])[] = [
  [/(?<![\w-])eyJ[\w-]+(?:\.[\w-]*){0,4}/g, '[token]'],
  [/\bkat_[A-Za-z0-9]{20,}/g, '[key]'],
  [/\b(bearer|basic)\s{1,20}[\w.~+/=-]+/gi, '$1 [token]'],
  [/(?<![\w.!#$%&'*+/=?^`{|}~-])[\w.!#$%&'*+/=?^`{|}~-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/gi, '[email]'],
  [
    /((?:passw(?:or)?d|secret|token|api[_-]?key)[\w-]{0,30}|\bcode)(\\{0,4}["']?\s{0,9}[=:]\s{0,9})("(?:[^"\\\n]|\\.)*|'(?:[^'\\\n]|\\.)*|\\{1,4}["'][^"'\\]*|(?!\[(?:redacted|token|key|email)\])[^\s"'&,;)}\]\\]+)/gi,
    (_all, name = '', sign = '', value = '') => `${name}${sign}${/^\\{0,4}["']/.exec(value)?.[0] ?? ''}[redacted]`,
  ],
  [
    /(?<![^\s"'()])([^\s"'()?#]+)[?#][^\s"'()]*/g,
    (all, address = '') => (/^\/|(?:https?|wss?):\/\//.test(address) ? `${address}?[redacted]` : all),
  ],
  [/\b[A-Fa-f0-9]{32,}\b/g, '[token]'],
];

/** Characters read beyond the limit, so that a secret at the cut is seen whole. */
const READ_AHEAD = 1024;

export function redact(text: string, maxBytes: number): string {
  const read = text.length > maxBytes + READ_AHEAD ? withoutCutToken(text.slice(0, maxBytes + READ_AHEAD)) : text;
  let clean = read;
  for (const [pattern, replacement] of RULES) {
    clean = typeof replacement === 'string' ? clean.replace(pattern, replacement) : clean.replace(pattern, replacement);
  }
  const end = endOf(clean, maxBytes);
  if (end === clean.length && read.length === text.length) return clean;
  return `${clean.slice(0, endOf(clean, maxBytes - ELLIPSIS_BYTES))}…`;
}

export const ELLIPSIS_BYTES = 3;

/** Half a secret is not recognized as one, so a word that the cut splits is dropped. */
function withoutCutToken(text: string): string {
  const least = text.length - READ_AHEAD;
  let end = text.length;
  while (end > least && !/[\s"'(),;]/.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end > least ? end : text.length);
}

/** How many code units of a text fit into `maxBytes` of UTF-8; never splits a surrogate pair. */
function endOf(text: string, maxBytes: number): number {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Bytes(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return end;
}
