/** The words of a TypeScript file: its texts, and the titles of its tests. */
import { type ESTree, parseSync, Visitor } from 'vite';
import type { TextLine } from './text-lines.ts';

export interface SourceWords {
  /** Strings, templates and JSX texts with a space between two words, without test titles and SQL. */
  texts: TextLine[];
  /** The same texts whole, on one line each. */
  passages: TextLine[];
  titles: TestTitle[];
}

export interface TestTitle extends TextLine {
  kind: 'test' | 'describe';
}

type Handlers = ConstructorParameters<typeof Visitor>[0];
/** Takes a word or text, and its offset in the file. */
type Take = (text: string, start: number) => void;

const PROSE = /\S\s+\S/;
const SQL = /^\s*(?:select|insert into|update|delete from|with|create|alter|drop)\b/i;

/** By path and text. Several checks read each file, and parsing takes most of their time. */
const alreadyRead = new Map<string, SourceWords>();

/** @throws Error when the file does not parse */
export function readSource(file: string, source: string): SourceWords {
  const key = `${file}\n${source}`;
  const known = alreadyRead.get(key);
  if (known !== undefined) return known;
  const words = parseSource(file, source);
  alreadyRead.set(key, words);
  return words;
}

function parseSource(file: string, source: string): SourceWords {
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const lineOf = lineFinder(source);
  const texts: TextLine[] = [];
  const passages: TextLine[] = [];
  const titles: TestTitle[] = [];
  /** Offsets of texts that are read already, or are code. */
  const isRead = new Set<number>();
  const visitor = new Visitor({
    ...textHandlers((text, start) => {
      if (isRead.has(start)) return;
      const lines = text.split('\n').map((part, index) => ({ line: lineOf(start) + index, text: part.trim() }));
      texts.push(...lines.filter(({ text: part }) => PROSE.test(part)));
      if (PROSE.test(text)) passages.push({ line: lineOf(start), text: text.replace(/\s+/g, ' ').trim() });
    }),
    CallExpression: (call) => {
      const title = testTitle(call);
      if (title === null) return;
      for (const { start } of title.parts) isRead.add(start);
      titles.push({ line: lineOf(call.start), text: title.text, kind: title.kind });
    },
    // Other tags mark SQL and styles.
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (tag.type === 'Identifier' && tag.name === 'html') return;
      for (const { start } of quasi.quasis) isRead.add(start);
    },
    TemplateLiteral: ({ quasis }) => {
      if (SQL.test(quasis[0]?.value.raw ?? '')) for (const { start } of quasis) isRead.add(start);
    },
  });
  visitor.visit(program);
  return { texts, passages, titles };
}

/** @returns a function from an offset to its line, counted from 1, for offsets in any order */
function lineFinder(source: string): (offset: number) => number {
  const starts = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    const next = starts.findIndex((start) => start >= offset);
    return (next === -1 ? starts.length : next) + 1;
  };
}

function textHandlers(take: Take): Handlers {
  return {
    Literal: ({ value, start }) => {
      if (typeof value === 'string') take(value.replaceAll('\n', ' '), start);
    },
    TemplateElement: ({ value, start }) => take(value.raw, start),
    JSXText: ({ value, start }) => take(value, start),
  };
}

/** The first argument of `test`, `it` or `describe`, with whatever follows the name: `test.each(rows)(title, …)`. */
function testTitle(
  call: ESTree.CallExpression,
): { kind: TestTitle['kind']; text: string; parts: ESTree.Node[] } | null {
  const kind = testKind(call.callee);
  const first = call.arguments[0];
  if (kind === null || first === undefined) return null;
  if (first.type === 'Literal' && typeof first.value === 'string') return { kind, text: first.value, parts: [first] };
  if (first.type !== 'TemplateLiteral') return null;
  return { kind, text: first.quasis.map(({ value }) => value.cooked).join('%s'), parts: first.quasis };
}

function testKind(callee: ESTree.Node): TestTitle['kind'] | null {
  if (callee.type === 'MemberExpression') {
    // `test.extend('name', …)` declares a fixture.
    const isFixture = callee.property.type === 'Identifier' && callee.property.name === 'extend';
    return isFixture ? null : testKind(callee.object);
  }
  if (callee.type === 'CallExpression') return testKind(callee.callee);
  if (callee.type !== 'Identifier') return null;
  if (callee.name === 'describe') return 'describe';
  return callee.name === 'test' || callee.name === 'it' ? 'test' : null;
}
