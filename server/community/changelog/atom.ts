/** The feed's text, as in RFC 4287. Foreign text is escaped, and characters that XML forbids are dropped. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import type { FeedPost } from './changelog-store.ts';
import type { PostHtml } from './post-html.ts';

export type FeedEntry = FeedPost & PostHtml;

/** @param origin  of the site as the reader sees it; relative addresses in posts resolve against its page */
export function atomText(entries: readonly FeedEntry[], origin: string): string {
  const { hostname } = new URL(origin);
  const page = `${origin}/change-log`;
  return `${[
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="${xmlText(page)}">`,
    // A tag URI (RFC 4151): it stays the same wherever the feed moves.
    `<id>tag:${xmlText(hostname)},2026:change-log</id>`,
    '<title>Kat: change log</title>',
    '<subtitle>What is new on the site. For research and education only. Not financial advice.</subtitle>',
    `<updated>${new Date(updatedMsOf(entries)).toISOString()}</updated>`,
    '<author><name>Kat</name></author>',
    `<link rel="self" type="application/atom+xml" href="${xmlText(page)}.atom"/>`,
    `<link rel="alternate" type="text/html" href="${xmlText(page)}"/>`,
    ...entries.map((entry) => entryText(entry, page)),
    '</feed>',
  ].join('\n')}\n`;
}

/** Time of the newest visible change; 0 for an empty list. */
export function updatedMsOf(entries: readonly FeedEntry[]): number {
  return Math.max(0, ...entries.map(({ updatedMs }) => updatedMs));
}

function entryText({ id, title, html, publishedMs, updatedMs }: FeedEntry, page: string): string {
  return [
    '<entry>',
    `<id>urn:uuid:${xmlText(id)}</id>`,
    `<title>${xmlText(title)}</title>`,
    `<published>${new Date(publishedMs).toISOString()}</published>`,
    `<updated>${new Date(updatedMs).toISOString()}</updated>`,
    `<link rel="alternate" type="text/html" href="${xmlText(page)}"/>`,
    `<content type="html">${xmlText(html)}</content>`,
    '</entry>',
  ].join('\n');
}

const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes for elements and double-quoted attributes. */
function xmlText(text: string): string {
  return escapeHtml(text.replace(NOT_XML, ''));
}
