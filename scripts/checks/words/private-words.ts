/** Words of the project's private dialect, what to write instead, and the places where they are right. */

export interface TextLine {
  /** Counted from 1. */
  line: number;
  /** Without comment marks or markup. */
  text: string;
}

interface Allowed {
  pattern: RegExp;
  why: string;
}

export interface FoundWord {
  word: string;
  /** What to write. */
  replacement: string;
}

interface PrivateWord {
  /** Without regard to case, as whole words. */
  words: string;
  replacement: string;
}

const TABLE: readonly PrivateWord[] = [
  { words: 'told|tells? of|tell|telling', replacement: 'reported, returned, shown, logged, notified' },
  { words: 'whoever', replacement: 'anyone who, users who' },
  { words: 'gone', replacement: 'deleted, unavailable, closed' },
  { words: 'what came|came of', replacement: 'outcome, actual' },
  { words: 'stands?(?!-)|stood|standing', replacement: 'is, appears' },
  { words: '(?:held|hold)(?: it)? against', replacement: 'compared with, check against' },
  { words: 'by itself|of (?:its|their|our) own', replacement: 'automatically; own, separate' },
  { words: '(?:is|are) none', replacement: 'is not one, invalid' },
  { words: 'made[- ]up', replacement: 'simulated, generated, sample' },
  { words: 'stand-ins?', replacement: 'sandbox (a running service), fake (in a test), fixture (data)' },
  { words: 'spoil\\w*', replacement: 'fault injection' },
  { words: 'doors?', replacement: 'gateway, listener, HTTP entry' },
  { words: 'desks?', replacement: 'engine, state store' },
  { words: 'asked|asks?|asking', replacement: 'requested, queries, calls' },
  { words: 'speaks?|said', replacement: 'uses, reports, states' },
  { words: 'kept', replacement: 'stored, cached, retained' },
  { words: 'handed on', replacement: 'passed on, forwarded' },
  { words: 'at once', replacement: 'immediately; at the same time' },
  { words: 'anew|looks again', replacement: 'again, refetch' },
  { words: 'wish(?:es|ed)?', replacement: 'request, preference' },
  { words: 'in words', replacement: 'as text, in a sentence' },
  { words: 'somebody|nobody', replacement: 'a user, a client; no one' },
];

const PATTERNS = TABLE.map(({ words, replacement }) => ({
  pattern: new RegExp(`\\b(?:${words})\\b`, 'i'),
  replacement,
}));

/** Names in backticks and quoted texts are not the writer's own words. */
const QUOTED = /`[^`]*`|"[^"]*"|“[^”]*”|\{@link [^}]*\}|@param \w+/g;
/** Where such a word is plain English or the field's own term. */
const ALLOWED: readonly Allowed[] = [
  { pattern: /\btold? (?:\S+ ){0,5}?apart\b|\btell (?:\S+ ){0,5}?apart\b/gi, why: 'to tell apart: to distinguish' },
  { pattern: /\b(?:too (?:few|little|short) to|can) tell\b|\bto tell \w+ from\b/gi, why: 'to tell: to know' },
  { pattern: /\bthere (?:is|are) none\b/gi, why: 'an idiom' },
  { pattern: /\bof (?:our own \w+|its own (?:object|report)|their own minute)\b/gi, why: 'belongs to us or to it' },
  { pattern: /\bkept (?:small|alive)\b|\bkept-alive\b/gi, why: 'stays so' },
  { pattern: /\bstands? out\b/gi, why: 'to differ visibly' },
  { pattern: /\bback doors?\b/gi, why: 'a hidden way in, as security calls it' },
  {
    pattern: /\b(?:bid|ask)s?\b[^.]*\b(?:bid|ask|offer|buy)s?\b|\b(?:buy|offer|bid)s?\b[^.]*\basks?\b/gi,
    why: 'a side of the order book',
  },
  {
    pattern: /\bbest ask\b|^ask; the offset of trades|\bfor asks to do that\b|\basks store\b/gi,
    why: 'a side of the order book',
  },
  { pattern: /\basks for a name\b|\basked for an estimate\b/gi, why: 'an interface asks its user' },
  { pattern: /\bdoors\.ts\b|\bbegin-anew\b/gi, why: 'a name in the code' },
];

const ALLOWED_IN_COPY: readonly Allowed[] = [
  { pattern: /\basks? (?:for|us|what|whether)\b/gi, why: 'a user, a browser or a bank requests something' },
  { pattern: /\btell (?:us|you)\b/gi, why: 'a user writes to us, or we to the user' },
  { pattern: /#alert-[\w-]+/g, why: 'the paragraph of an alert in docs/operating/alerts.md' },
  { pattern: /\bcandles-gone\b/g, why: 'a reason of void records, stored and published' },
  { pattern: /\bnobody@example\.com\b|“nobody”/g, why: 'an address and a search without a match' },
  { pattern: /\bcustody desk\b/g, why: 'a headline of the news' },
  { pattern: /\bAt most 200 posts at once\b/g, why: 'an error of a database function, which a migration defines' },
  { pattern: /\btold from luck\b/g, why: 'to tell from: to distinguish' },
  { pattern: /\bnobody beats the last price\b/g, why: 'the line under the site’s name' },
];

/** @returns the first private word of a comment or of a document's line, with what to write instead, or null */
export function findPrivateWord(text: string): FoundWord | null {
  return firstWord(text.replace(QUOTED, ''), ALLOWED);
}

/** @returns the first private word of a text on screen, in a mail, an error or a log, or null */
export function findCopyWord(text: string): FoundWord | null {
  return firstWord(text, [...ALLOWED, ...ALLOWED_IN_COPY]);
}

/** Looks through the rest of the text, once the allowed passages are taken out of it. */
function firstWord(text: string, allowed: readonly Allowed[]): FoundWord | null {
  let rest = text;
  for (const { pattern } of allowed) rest = rest.replace(pattern, '');
  for (const { pattern, replacement } of PATTERNS) {
    const match = pattern.exec(rest);
    if (match !== null) return { word: match[0], replacement };
  }
  return null;
}

/** @returns a message for each line with a private word: file, line, the word and what to write */
export function wordFaults(file: string, lines: readonly TextLine[], find = findPrivateWord): string[] {
  return lines.flatMap(({ line, text }) => {
    const found = find(text);
    return found === null ? [] : [`${file}:${line}: '${found.word}': write ${found.replacement}`];
  });
}
