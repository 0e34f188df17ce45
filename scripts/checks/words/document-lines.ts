/** Prose of Markdown documents, without code, addresses and quoted texts. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { TextLine } from './text-lines.ts';

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];

export interface TextBlock {
  /** Its first line in the source, counted from 1. */
  line: number;
  /** With the line breaks of the source. */
  text: string;
  kind: 'prose' | 'heading' | 'cell';
}

/** Quoted messages and titles. An apostrophe within a word, or after it as in "users'", opens no quotation. */
const QUOTED = /“[^”]*”|(?<!\w)'(?=\S)(?:[^']|(?<=\w)'(?=\w))*(?<=\S)'(?!\w)/g;
/** Replaces code, so that a sentence around it stays one. */
const CODE = 'x';

/** @returns the lines of headings, paragraphs, lists and tables, counted from 1 as in the source */
export function documentLines(markdown: string): TextLine[] {
  return wholeBlocks(markdown).flatMap(({ line: first, text }) =>
    text.split('\n').map((part, index) => ({ line: first + index, text: part })),
  );
}

/** @returns headings, paragraphs and items of lists, and each cell of a table */
export function documentBlocks(markdown: string): TextBlock[] {
  return wholeBlocks(markdown).flatMap((block) => (block.text.startsWith('|') ? cellsOf(block) : [block]));
}

/** By text: several checks read each document. */
const alreadyRead = new Map<string, TextBlock[]>();

function wholeBlocks(markdown: string): TextBlock[] {
  const known = alreadyRead.get(markdown);
  if (known !== undefined) return known;
  const blocks = parseBlocks(markdown);
  alreadyRead.set(markdown, blocks);
  return blocks;
}

function parseBlocks(markdown: string): TextBlock[] {
  return blocksOf(fromMarkdown(markdown)).map((block) => ({
    line: block.position?.start.line ?? 1,
    text: textOf(block).replace(QUOTED, (quoted) => quoted.replace(/[^\n]+/g, CODE)),
    kind: block.type === 'heading' ? 'heading' : 'prose',
  }));
}

function cellsOf({ line: first, text }: TextBlock): TextBlock[] {
  return text.split('\n').flatMap((row, index) =>
    row
      .split('|')
      .map((cell): TextBlock => ({ line: first + index, text: cell.trim(), kind: 'cell' }))
      .filter((cell) => /\w/.test(cell.text)),
  );
}

function blocksOf(node: Node): Node[] {
  if (node.type === 'paragraph' || node.type === 'heading') return [node];
  return 'children' in node ? node.children.flatMap(blocksOf) : [];
}

/** Has as many line breaks as the source. */
function textOf(node: Node): string {
  if (node.type === 'text') return node.value;
  if (node.type === 'break') return '\n';
  if ('children' in node) return node.children.map(textOf).join('');
  const { start, end } = node.position ?? { start: { line: 1 }, end: { line: 1 } };
  return CODE + '\n'.repeat(end.line - start.line);
}
