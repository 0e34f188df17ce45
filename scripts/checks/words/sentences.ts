/** Sentences of documents and of copy, to find those that are too long to read once. */
import { documentBlocks } from './document-lines.ts';
import type { TextLine } from './text-lines.ts';

export interface Sentence {
  /** Where it begins, counted from 1. */
  line: number;
  text: string;
  words: number;
  /** A whole sentence of a paragraph or a list, neither a heading nor a table's cell. */
  isProse: boolean;
}

export const MOST_WORDS = 35;

/** A mark that ends a sentence, then the next one's beginning: a capital, a digit or code. */
const END = /(?<!\b(?:e\.g|i\.e|vs|cf|No|etc|approx))[.!?][”’"')\]]*\s+(?=[“‘"'([]*(?:[\p{Lu}\d]|x(?!\w)))/gu;
/** A cell lists its items, separated by semicolons. */
const END_IN_CELL = new RegExp(`${END.source}|;\\s+`, 'gu');
/** Names in a row count as one word. */
const LIST_OF_CODE = /\bx(?:,? (?:and |or )?x)+(?!\w)/g;

/** @returns every sentence with code and quotations as one word each */
export function documentSentences(markdown: string): Sentence[] {
  return documentBlocks(markdown).flatMap(({ line, text, kind }) =>
    splitSentences(text, kind === 'cell' ? END_IN_CELL : END).map(({ sentence, offset }) => ({
      line: line + text.slice(0, offset).split('\n').length - 1,
      text: sentence,
      words: countWords(sentence),
      isProse: kind === 'prose' && /[.!?:][”’"')\]]*$/.test(sentence),
    })),
  );
}

/** A tag ends a sentence: it begins another paragraph or cell. */
const TAG = /<\/?[a-z][^>]*>/gi;
/** Styles and SQL. */
const NO_PROSE = /\{[^}]*:[^}]*;|^(?:select|insert into|update|delete from|with) /;
const CODE_IN_COPY = /\\?`[^`]*`/g;

/** @param passages  texts of a source file, whole @returns their sentences; styles and SQL have none */
export function copySentences(passages: readonly TextLine[]): Sentence[] {
  return passages
    .filter(({ text }) => !NO_PROSE.test(text))
    .flatMap(({ line, text }) =>
      text
        .replace(CODE_IN_COPY, 'x')
        .split(TAG)
        .flatMap((part) =>
          splitSentences(part, END).map(({ sentence }) => ({
            line,
            text: sentence,
            words: countWords(sentence),
            isProse: /[.!?]$/.test(sentence),
          })),
        ),
    );
}

function splitSentences(text: string, end: RegExp): { sentence: string; offset: number }[] {
  const ends = [...text.matchAll(end)].map(({ index, 0: match }) => index + match.length);
  return [0, ...ends]
    .map((offset, index) => ({ sentence: text.slice(offset, ends[index]).trim(), offset }))
    .filter(({ sentence }) => sentence !== '');
}

/** Words hold a letter or a digit: a dash is none. */
export function countWords(text: string): number {
  const words = text.replace(LIST_OF_CODE, 'x').split(/\s+/);
  return words.filter((word) => /[\p{L}\d]/u.test(word)).length;
}

/** @returns a message for each sentence of more than `MOST_WORDS` words */
export function longSentenceFaults(file: string, sentences: readonly Sentence[]): string[] {
  return sentences
    .filter(({ words }) => words > MOST_WORDS)
    .map(({ line, words, text }) => `${file}:${line}: ${words} words: split '${beginning(text)} ...'`);
}

function beginning(text: string): string {
  return text.split(/\s+/).slice(0, 6).join(' ');
}

/** @returns the middle length of whole sentences in words, 0 for none */
export function medianWords(sentences: readonly Sentence[]): number {
  const lengths = sentences
    .filter(({ isProse }) => isProse)
    .map(({ words }) => words)
    .sort((a, b) => a - b);
  return lengths[Math.floor(lengths.length / 2)] ?? 0;
}
