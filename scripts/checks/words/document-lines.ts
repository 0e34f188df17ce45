/** Lines of prose in Markdown documents, without code, addresses and quoted texts. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { TextLine } from './private-words.ts';

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];

/** Quoted messages and titles. An apostrophe within a word, or after it as in "users'", opens no quotation. */
const QUOTED = /“[^”]*”|(?<!\w)'(?=\S)(?:[^']|(?<=\w)'(?=\w))*(?<=\S)'(?!\w)/g;
/** Replaces code, so that a sentence around it stays one. */
const CODE = 'x';

/** @returns the lines of headings, paragraphs, lists and tables, counted from 1 as in the source */
export function documentLines(markdown: string): TextLine[] {
  return blocksOf(fromMarkdown(markdown)).flatMap((block) => {
    const first = block.position?.start.line ?? 1;
    const lines = textOf(block)
      .replace(QUOTED, (quoted) => quoted.replace(/[^\n]+/g, CODE))
      .split('\n');
    return lines.map((text, index) => ({ line: first + index, text }));
  });
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
