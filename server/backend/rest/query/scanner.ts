/** Reads names, values and lists of the grammar left to right. Quoting follows the protocol: "..." with \" and \\. */

import { notUnderstood } from '../rest-error.ts';
import { MAX_LIST_VALUES, MAX_VALUE_LENGTH } from './query-tree.ts';

const BARE_NAME = /[\p{L}\p{N}_$ -]+/uy;

export class Scanner {
  readonly #text: string;
  readonly #what: string;
  #at = 0;

  constructor(text: string, what: string) {
    this.#text = text;
    this.#what = what;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  fail(): Error {
    return notUnderstood(this.#what, this.#text);
  }

  sees(word: string): boolean {
    return this.#text.startsWith(word, this.#at);
  }

  /** Whether the word and a parenthesis follow, with or without blanks in between. */
  seesGroup(word: string): boolean {
    return this.sees(word) && /^[ \t]*\(/.test(this.#text.slice(this.#at + word.length));
  }

  accepts(word: string): boolean {
    if (!this.sees(word)) return false;
    this.#at += word.length;
    return true;
  }

  expect(word: string): void {
    if (!this.accepts(word)) throw this.fail();
  }

  expectEnd(): void {
    if (!this.isAtEnd) throw this.fail();
  }

  skipSpaces(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
  }

  rest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }

  /** A column's or alias's name: quoted, or letters, digits, `_`, `$`, `-` and inner spaces. */
  name(): string {
    const quoted = this.#quoted();
    if (quoted !== null) return this.#checked(quoted);
    BARE_NAME.lastIndex = this.#at;
    const found = BARE_NAME.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return this.#checked(found.trim());
  }

  /** Letters and underscores, as in operators. */
  word(): string {
    let end = this.#at;
    while (/[a-z_]/i.test(this.#text[end] ?? '')) end += 1;
    const word = this.#text.slice(this.#at, end);
    this.#at = end;
    return word;
  }

  /** A value inside parentheses: quoted, or everything before the next comma or closing parenthesis. */
  innerValue(): string {
    const start = this.#at;
    const quoted = this.#quoted();
    return quoted !== null && this.#isAtItemEnd ? quoted : this.#bareValue(start);
  }

  /**
   * `(a,"b,c",d)`; `()` and `( )` have no value. Blanks around parentheses and quotes are ignored, but preserved in a
   * bare value, as in PostgREST: the client library sends texts without quotes.
   */
  list(): string[] {
    this.expect('(');
    this.skipSpaces();
    if (this.accepts(')')) {
      this.skipSpaces();
      return [];
    }
    const values = [this.#listValue()];
    while (this.accepts(',')) {
      values.push(this.#listValue());
      if (values.length > MAX_LIST_VALUES) throw notUnderstood(`more than ${MAX_LIST_VALUES} values`, this.#text);
    }
    this.expect(')');
    this.skipSpaces();
    return values;
  }

  #listValue(): string {
    const start = this.#at;
    this.skipSpaces();
    const quoted = this.#quoted();
    this.skipSpaces();
    const value = quoted !== null && this.#isAtItemEnd ? quoted : this.#bareValue(start);
    if (value.length > MAX_VALUE_LENGTH) throw this.fail();
    return value;
  }

  get #isAtItemEnd(): boolean {
    return /^[,)]?$/.test(this.#text[this.#at] ?? '');
  }

  #bareValue(start: number): string {
    this.#at = start;
    while (!this.#isAtItemEnd) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #checked(name: string): string {
    if (name === '' || name.length > 63 || name === '*') throw this.fail();
    return name;
  }

  #quoted(): string | null {
    if (this.#text[this.#at] !== '"') return null;
    let value = '';
    for (let at = this.#at + 1; at < this.#text.length; at += 1) {
      const char = this.#text[at];
      if (char === '"') {
        this.#at = at + 1;
        return value;
      }
      if (char === '\\') at += 1;
      value += this.#text[at] ?? '';
    }
    return null;
  }
}
