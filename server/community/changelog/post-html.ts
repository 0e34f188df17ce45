/** A post in a feed: safe HTML, and a plain-text title. */
import { decodeHTML } from 'entities';
import { micromark } from 'micromark';
import { isCostlyMarkdown } from '#domain/community/markdown-limits.ts';
import { escapeHtml } from '#domain/format/escape-html.ts';

export interface PostHtml {
  title: string;
  html: string;
}

/** Maximum length of a title, in code points. */
const TITLE_LENGTH = 100;
const UNTITLED = 'Update';
/** Turns pictures into links, so that readers load nothing from other sites. */
const NO_PICTURES = { disable: { null: ['labelStartImage'] } };

/** By default the library shows HTML as text and drops unsafe addresses. Costly Markdown is shown as its source. */
export function postHtml(content: string): PostHtml {
  return isCostlyMarkdown(content) ? plainPost(content) : titled(micromark(content, { extensions: [NO_PICTURES] }));
}

/** The source text as one paragraph. */
export function plainPost(content: string): PostHtml {
  return titled(`<p>${escapeHtml(content).replace(/\r\n?|\n/g, '<br>')}</p>`);
}

const HEADING = /<h([1-6])>([\s\S]*?)<\/h\1>/g;
const BLOCK_END = /<\/(?:p|li|pre|h[1-6])>|<br ?\/?>|<hr ?\/?>/;

/** @param html  our own output: every angle bracket in its texts and attributes is escaped */
function titled(html: string): PostHtml {
  const headings = Array.from(html.matchAll(HEADING), ([, , text = '']) => text);
  const title = [...headings, ...html.split(BLOCK_END)].map(plainTextOf).find((text) => text !== '');
  return { title: cut(title ?? UNTITLED), html };
}

/** Invisible characters, and any that change a title's text direction; joiners for scripts and emoji stay. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

function plainTextOf(html: string): string {
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
  // Cuts at the end of a word if one is near.
  const atWord = head.replace(/\s+\S{0,20}$/u, '');
  return `${atWord.trimEnd()}…`;
}
