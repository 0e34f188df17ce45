import { parseAtomFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { atomText, type FeedEntry } from './atom.ts';
import { postHtml } from './post-html.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const ID = '00000000-0000-4000-8000-000000000001';

function anEntry(content: string, more: Partial<FeedEntry> = {}): FeedEntry {
  return { id: ID, content, publishedMs: NOON, updatedMs: NOON, ...postHtml(content), ...more };
}

test('contains what a feed reader requires', () => {
  const feed = parseAtomFeed(
    atomText([anEntry('# New\n\nWords', { updatedMs: NOON + 60_000 }), anEntry('Old')], 'https://kat.example'),
  );

  expect(feed).toMatchObject({
    id: 'tag:kat.example,2026:change-log',
    title: { value: 'Kat: change log' },
    updated: '2026-11-20T12:01:00.000Z',
    authors: [{ name: 'Kat' }],
    links: [
      { rel: 'self', type: 'application/atom+xml', href: 'https://kat.example/change-log.atom' },
      { rel: 'alternate', type: 'text/html', href: 'https://kat.example/change-log' },
    ],
  });
  expect(feed.entries?.[0]).toMatchObject({
    id: `urn:uuid:${ID}`,
    title: { value: 'New' },
    published: '2026-11-20T12:00:00.000Z',
    updated: '2026-11-20T12:01:00.000Z',
    content: { type: 'html', value: '<h1>New</h1>\n<p>Words</p>' },
  });
});

test('is a valid feed without posts', () => {
  expect(parseAtomFeed(atomText([], 'http://127.0.0.1:3000'))).toMatchObject({
    id: 'tag:127.0.0.1,2026:change-log',
    updated: '1970-01-01T00:00:00.000Z',
  });
});

test.each([
  ['the end of a section', 'a ]]> b <![CDATA[ c'],
  ['markup of the feed itself', '</content></entry><entry><id>x</id></entry>'],
  ['entities', '&amp; &lt;script&gt; &#0; &evil; <!ENTITY x "y">'],
  ['quotes in an address', '[a](<https://x.example/"><entry>>) "\''],
])('keeps %s as text', (_what, content) => {
  const entry = anEntry(content);

  const text = atomText([entry], 'https://kat.example');
  const { entries } = parseAtomFeed(text);

  expect(text).not.toContain(']]>');
  expect(text.match(/<entry>/g)).toHaveLength(1);
  expect(entries).toHaveLength(1);
  expect(entries?.[0]?.title?.value).toBe(entry.title);
  expect(entries?.[0]?.content?.value).toBe(entry.html);
});

test('omits exactly the characters that XML forbids', () => {
  const odd = 'a\u0001\u0008\u000b\u001f\u007f\ufffe\uffff\ud800b\tc\n😺é\u202e';

  const text = atomText([anEntry('x', { title: odd, html: odd })], 'https://kat.example');

  expect(parseAtomFeed(text).entries?.[0]?.content?.value).toBe('a\u007fb\tc\n😺é\u202e');
  expect(text).toMatch(/^[\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
});
