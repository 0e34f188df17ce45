/** Words that are wrong in every name of the code, what to write instead, and the names that stay. */
import { basename } from 'node:path';
import type { FoundWord, TextLine } from './private-words.ts';

interface NameWord {
  /** In lower case with a space between words, as whole words. */
  words: string;
  replacement: string;
}

const TABLE: readonly NameWord[] = [
  { words: '(?:un)?told|tells?|telling', replacement: 'reported, shown, notified' },
  { words: 'said|says?|saying', replacement: 'stated, described, message' },
  { words: 'speaks?|spoke', replacement: 'sends, uses' },
  { words: 'asks?|asked|asking', replacement: 'requested, queried, fetched' },
  { words: 'kept', replacement: 'stored, cached, retained' },
  { words: 'gone', replacement: 'deleted, closed, unavailable' },
  { words: 'heard|hears?', replacement: 'received, lastMessageAt' },
  { words: 'doors?', replacement: 'gateway, listener, entry' },
  { words: 'desks?', replacement: 'engine, store' },
  { words: 'made up', replacement: 'simulated, generated, fixture' },
  { words: 'made', replacement: 'created, issued, generated' },
  { words: 'way back|hand on', replacement: 'redirect, callback; forward' },
  { words: 'given', replacement: 'input, options, forwarded' },
  { words: 'stand ins?', replacement: 'sandbox, fake, fixture' },
  { words: 'stands|standing|stood', replacement: 'status, state' },
  { words: 'whoever|whose', replacement: 'owner, user, subject' },
  { words: 'came', replacement: 'arrived, outcome, actual' },
  { words: 'words of|(?<=. )words|words in', replacement: 'format…, describe…, …Message, …Label' },
  { words: 'sentence', replacement: 'message' },
  { words: 'spoil\\w*', replacement: 'faulty, injected' },
  { words: 'wish\\w*', replacement: 'request, preference' },
  { words: 'anew', replacement: 'again, refetch, renew' },
  { words: 'pressed', replacement: 'clicked' },
  { words: 'silent', replacement: 'idle, unresponsive' },
  { words: 'unproven', replacement: 'unverified' },
  { words: 'looks?|looked', replacement: 'poll, check' },
  { words: 'grown', replacement: 'growth, increase' },
  { words: 'at once', replacement: 'immediately, parallel' },
  { words: 'somebody|nobody', replacement: 'user, noOne' },
];

const PATTERNS = TABLE.map(({ words, replacement }) => ({ pattern: new RegExp(`\\b(?:${words})\\b`), replacement }));

/** Names that others read or define, and the field's own terms. Whole, with their case; `file` limits them to one file. */
const ALLOWED: readonly { name: RegExp; file?: RegExp; why: string }[] = [
  { name: /^(?:asks?|ASKS|bestAsk(?:Size)?|best_ask(?:_size)?)$/, why: 'a side of the order book' },
  { name: /^made_?[aA]t$/, why: 'a field of alerts, on the wire and in the database, and of backups' },
  { name: /^(?:api_key|recovery_codes)_made$/, why: 'the kind of a mail in stored rows' },
  { name: /^made$/, file: /server\/market\/market\.ts|ledger\.ts/, why: 'a key of a log line' },
  { name: /^silent_ms$/, why: 'a field of the heartbeat on the wire' },
  { name: /^silent$/, why: 'the close code `silent` of sockets, and its counter in the operations state' },
  { name: /^silentMs$/, why: 'a field between processes of two versions, and a key of log lines' },
  { name: /^gecko_says$/, why: 'a field of CoinGecko’s ping' },
  { name: /^told$/, file: /open-alerts/, why: 'a key of a log line' },
  { name: /^asked$/, file: /inference-client/, why: 'a key of a log line' },
  { name: /^keptForecasts$/, why: 'a key of a log line' },
  { name: /^kept$/, file: /(?:settle|billing)-doubles/, why: 'a key of stored alarms' },
  { name: /^kat_told$/, why: 'metadata of refunds at the payment provider' },
  { name: /^beginsAnew$/, why: 'a field of the stored record keys' },
  { name: /^axisPressedMouseMove$/, why: 'an option of lightweight-charts' },
  { name: /^pressed$/, why: 'the ARIA state, as Testing Library names it' },
  { name: /^NUMBER_WORDS$/, why: 'one, two, three' },
  { name: /^(?:check|name|private|source)-words\.ts$|^SourceWords$/, why: 'the check of words' },
];

/** @returns the first wrong word of an identifier or a file's name with what to write instead, or null */
export function findNameWord(name: string, file = ''): FoundWord | null {
  if (ALLOWED.some((allowed) => allowed.name.test(name) && (allowed.file?.test(file) ?? true))) return null;
  const words = splitName(name);
  for (const { pattern, replacement } of PATTERNS) {
    const match = pattern.exec(words);
    if (match !== null) return { word: match[0], replacement };
  }
  return null;
}

/** @returns the words of a camelCase, PascalCase, UPPER_SNAKE, snake_case or kebab-case name: `HTTP_isAsked` is `http is asked` */
function splitName(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[_$.-]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** @returns a message for each name with a wrong word: file, line, the name, the word and what to write */
export function nameFaults(file: string, names: readonly TextLine[]): string[] {
  const all = [{ line: 1, text: basename(file) }, ...names];
  return all.flatMap(({ line, text }) => {
    const found = findNameWord(text, file);
    return found === null ? [] : [`${file}:${line}: '${found.word}' in the name '${text}': write ${found.replacement}`];
  });
}
