/** A post as a feed carries it: harmless HTML, and a title in plain words. */
import { decodeHTML } from 'entities';
import { micromark } from 'micromark';
import { isCostlyMarkdown } from '#domain/community/markdown-limits.ts';
import { escapeHtml } from '#domain/format/escape-html.ts';

export interface PostHtml {
  title: string;
  html: string;
}

/** Of a title, in code points. */
const TITLE_LENGTH = 100;
const UNTITLED = 'Update';
/** Pictures would be loaded from elsewhere by whoever reads: what is one becomes a link. */
const NO_PICTURES = { disable: { null: ['labelStartImage'] } };

/**
 * By the library's own safe default HTML within Markdown is shown as text, and an address that could run something is
 * dropped. What would keep a parser busy is shown as it was written.
 */
export function postHtml(content: string): PostHtml {
  return isCostlyMarkdown(content) ? plainPost(content) : titled(micromark(content, { extensions: [NO_PICTURES] }));
}

/** The text as it was written, as one paragraph. */
export function plainPost(content: string): PostHtml {
  return titled(`<p>${escapeHtml(content).replace(/\r\n?|\n/g, '<br>')}</p>`);
}

const HEADING = /<h([1-6])>([\s\S]*?)<\/h\1>/g;
const BLOCK_END = /<\/(?:p|li|pre|h[1-6])>|<br ?\/?>|<hr ?\/?>/;

/** @param html  of our own making: within its texts and attributes every angle bracket is escaped */
function titled(html: string): PostHtml {
  const headings = Array.from(html.matchAll(HEADING), ([, , text = '']) => text);
  const title = [...headings, ...html.split(BLOCK_END)].map(wordsOf).find((words) => words !== '');
  return { title: cut(title ?? UNTITLED), html };
}

/** Turn the direction of what stands beside a title, or are not seen; the joiners of scripts and emoji stay. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function wordsOf(html: string): string {
  const text = decodeHTML(html.replace(/<[^>]*>/g, ''));
  return text
    .replace(UNSEEN, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

function cut(text: string): string {
  const points = Array.from(text);
  if (points.length <= TITLE_LENGTH) return text;
  const head = points.slice(0, TITLE_LENGTH - 1).join('');
  // At the end of a word, where one is near.
  const atWord = head.replace(/\s+\S{0,20}$/u, '');
  return `${atWord.trimEnd()}…`;
}
