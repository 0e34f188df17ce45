import { expect, test } from 'vitest';
import { feedText } from './collect-feed.ts';
import { feedDateMs, readFeed } from './read-feed.ts';

const FEED = 'https://feeds.example.com/feed';
const rss = (items: string) => `<?xml version="1.0"?><rss version="2.0"
  xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
  <title>T</title>${items}</channel></rss>`;

test('reads link, guid, date, summary and picture of RSS, without the whole text', () => {
  const text = rss(`<item><title><![CDATA[<b>One</b> &amp; all]]></title><link>https://a.example/1?utm_source=x</link>
    <guid isPermaLink="false">g1</guid><pubDate>Sat, 21 Nov 2026 10:00:00 -0500</pubDate>
    <description>&lt;p&gt;Short.&lt;/p&gt;</description><content:encoded>Everything</content:encoded>
    <media:content url="https://a.example/1.jpg" type="image/jpeg"/></item>`);

  expect(readFeed(text, FEED)).toEqual([
    {
      title: 'One & all',
      url: 'https://a.example/1',
      guid: 'g1',
      summary: 'Short.',
      publishedMs: Date.UTC(2026, 10, 21, 15),
      pictureUrl: 'https://a.example/1.jpg',
    },
  ]);
});

test('reads the alternate link and an enclosed picture of Atom', () => {
  const text = `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><id>f</id><updated>2026-11-21T10:00:00Z</updated>
    <entry><title type="html">One &amp;amp; all</title><id>e1</id><updated>2026-11-21T10:00:00+01:00</updated>
    <link rel="self" href="https://a.example/self"/><link href="/1"/>
    <link rel="enclosure" type="image/png" href="/1.png"/><summary>Short.</summary></entry></feed>`;

  expect(readFeed(text, FEED)).toMatchObject([
    {
      title: 'One & all',
      url: 'https://feeds.example.com/1',
      publishedMs: Date.UTC(2026, 10, 21, 9),
      pictureUrl: 'https://feeds.example.com/1.png',
    },
  ]);
});

test('reads the external address of a JSON Feed item without its own', () => {
  const items = [{ id: '1', title: 'One', external_url: 'https://a.example/1', summary: 'Short.' }];

  const [item] = readFeed(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'T', items }), FEED);

  expect(item).toMatchObject({ title: 'One', url: 'https://a.example/1', publishedMs: null, pictureUrl: null });
});

test('omits items without a title or with an invalid address, and all after a hundred', () => {
  const item = (n: number) => `<item><title>${n}</title><link>https://a.example/${n}</link></item>`;
  const odd =
    '<item><link>https://a.example/x</link></item><item><title>x</title><link>javascript:alert(1)</link></item>';

  expect(readFeed(rss(odd), FEED)).toEqual([]);
  expect(readFeed(rss(Array.from({ length: 150 }, (_, n) => item(n)).join('')), FEED)).toHaveLength(100);
});

test('uses a guid that is an address when the link is missing', () => {
  const guid = rss('<item><title>One</title><guid>https://a.example/1</guid></item>');

  expect(readFeed(guid, FEED)).toMatchObject([{ url: 'https://a.example/1' }]);
});

const whole = rss('<item><title>One</title><link>https://a.example/1</link></item>');
test.each([
  ['a page', '<!DOCTYPE html><html><body>Checking your browser</body></html>'],
  ['nothing', ''],
  ['white space', ' \n '],
  ['JSON of another kind', '{"ok":true}'],
  ['a list', '[]'],
  ['a feed cut in its middle', whole.slice(0, Math.floor(whole.length * 0.7))],
  ['a feed cut at its very end', whole.slice(0, -3)],
  ['entities that grow', `<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${whole.replace('One', '&b;')}`],
  ['an entity that names a file', `<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]>${whole}`],
])('refuses %s as a feed', (_what, text) => {
  expect(() => readFeed(text, FEED)).toThrow();
});

test.each([
  ['Sat, 21 Nov 2026 10:00:00 GMT', '2026-11-21T10:00:00.000Z'],
  ['Sat, 21 Nov 2026 10:00:00 EST', '2026-11-21T15:00:00.000Z'],
  ['21 Nov 2026 10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00.5+02:00', '2026-11-21T08:00:00.500Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
])('reads the date %s', (text, iso) => {
  expect(new Date(feedDateMs(text) ?? Number.NaN).toISOString()).toBe(iso);
});

test.each([['yesterday'], [''], [undefined], ['2026-99-99T00:00:00Z'], ['x'.repeat(100)]])(
  'rejects %j as a date',
  (text) => {
    expect(feedDateMs(text)).toBe(null);
  },
);

test('decodes a feed’s own encoding, and an unknown one as UTF-8', () => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00e9</a>', 'latin1');

  expect(feedText(latin, 'text/xml')).toContain('é');
  expect(feedText(Buffer.from('é'), 'text/xml; charset=nobodys')).toBe('é');
  expect(feedText(Buffer.from('\ufeffé', 'utf16le'), undefined)).toBe('é');
});
