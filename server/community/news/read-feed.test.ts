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
  ['a script', '<script>track()</script>'],
  ['a comment', '<!-- cached 12:00 </rss> -->'],
  ['text', ' \u0000 served in 12 ms'],
])('reads a feed that its host ends with %s', (_what, appended) => {
  expect(readFeed(whole + appended, FEED)).toMatchObject([{ title: 'One' }]);
});

test('refuses a feed that is cut off after an article that names its end', () => {
  const quoting = whole.replace('One', '<![CDATA[How </rss> ends]]>');

  expect(readFeed(quoting, FEED)).toHaveLength(1);
  expect(() => readFeed(quoting.slice(0, -20), FEED)).toThrow('cut off');
});

test.each([
  ['RSS, on its root', whole.replace('<rss ', '<rss xml:base="https://b.example/news/" ')],
  ['RSS, on its channel', whole.replace('<channel>', '<channel xml:base="https://b.example/news/">')],
  [
    'RSS, on an item in a channel',
    whole.replace('<rss ', '<rss xml:base="https://b.example/" ').replace('<item>', '<item xml:base="news/">'),
  ],
  [
    'Atom, on an entry in a feed',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.example/"><title>T</title><id>f</id>
     <entry xml:base="/news/"><title>One</title><id>e</id><link href="1"/></entry></feed>`,
  ],
  [
    'RDF',
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
     xml:base="https://b.example/news/"><channel><title>T</title></channel><item><title>One</title><link>1</link></item></rdf:RDF>`,
  ],
])('resolves relative addresses by xml:base of %s', (_where, text) => {
  expect(readFeed(text.replace('https://a.example/1', '1'), FEED)).toMatchObject([{ url: 'https://b.example/news/1' }]);
});

test.each(['', 'https://', 'javascript:alert(1)', 'data:text/html,x'])('ignores the base %j', (base) => {
  const text = whole.replace('<rss ', `<rss xml:base="${base}" `).replace('https://a.example/1', '/1');

  expect(readFeed(text, FEED)).toMatchObject([{ url: 'https://feeds.example.com/1' }]);
});

test('takes the first date of an item that can be read', () => {
  const dated = (dates: string) =>
    rss(`<item><title>1</title><link>https://a.example/1</link>${dates}</item>`).replace(
      '<rss ',
      '<rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom" ',
    );
  const dateOf = (dates: string) => readFeed(dated(dates), FEED)[0]?.publishedMs;

  expect(dateOf('<pubDate>soon</pubDate><dc:date>2026-11-21T10:00:00Z</dc:date>')).toBe(Date.UTC(2026, 10, 21, 10));
  expect(dateOf('<pubDate>soon</pubDate><atom:updated>2026-11-21T10:00:00Z</atom:updated>')).toBe(
    Date.UTC(2026, 10, 21, 10),
  );
  expect(dateOf('<pubDate>soon</pubDate>')).toBeNull();
});

test.each([
  ['Sat, 21 Nov 2026 10:00:00 GMT', '2026-11-21T10:00:00.000Z'],
  ['Sat, 21 Nov 2026 10:00:00 EST', '2026-11-21T15:00:00.000Z'],
  ['21 Nov 2026 10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00.5+02:00', '2026-11-21T08:00:00.500Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['Sat Nov 21 2026 10:00:00 GMT+0100 (Central European Standard Time)', '2026-11-21T09:00:00.000Z'],
  ['Sat, 21 Nov 2026 10:00:00 CET', '2026-11-21T09:00:00.000Z'],
  ['Sun, 21 Jun 2026 10:00:00 CEST', '2026-06-21T08:00:00.000Z'],
  ['Sun, 21 Jun 2026 10:00:00 BST', '2026-06-21T09:00:00.000Z'],
  ['Sat, 21 Nov 2026 10:00:00 JST', '2026-11-21T01:00:00.000Z'],
  ['Sat, 21 Nov 2026 10:00:00 MSK', '2026-11-21T07:00:00.000Z'],
  ['Sat Nov 21 10:00:00 CET 2026', '2026-11-21T09:00:00.000Z'],
  ['21.11.2026 10:00', '2026-11-21T10:00:00.000Z'],
])('reads the date %s', (text, iso) => {
  expect(new Date(feedDateMs(text) ?? Number.NaN).toISOString()).toBe(iso);
});

test.each([
  ['yesterday'],
  ['Saturday 10:00'],
  ['November'],
  [''],
  [undefined],
  ['2026-99-99T00:00:00Z'],
  ['x'.repeat(200)],
])('rejects %j as a date', (text) => {
  expect(feedDateMs(text)).toBe(null);
});

test('decodes a feed’s own encoding, and an unknown one as UTF-8', () => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00e9</a>', 'latin1');

  expect(feedText(latin, 'text/xml')).toContain('é');
  expect(feedText(Buffer.from('é'), 'text/xml; charset=nobodys')).toBe('é');
  expect(feedText(Buffer.from('\ufeffé', 'utf16le'), undefined)).toBe('é');
  expect(feedText(Buffer.from('<?xml version="1.0"?><a>é</a>', 'utf16le'), undefined)).toContain('é');
});

const DECLARED = '<?xml version="1.0" encoding="iso-8859-1"?>';
const LATIN = 'text/xml; charset=iso-8859-1';
test.each([
  ['UTF-8 with a mark under another header', Buffer.from('\ufeff<a>é</a>'), LATIN, '<a>é</a>'],
  ['UTF-8 without a mark under another header', Buffer.from('<a>é – “x”</a>'), LATIN, '<a>é – “x”</a>'],
  ['UTF-8 under another declaration', Buffer.from(`${DECLARED}<a>é</a>`), undefined, `${DECLARED}<a>é</a>`],
  [
    'Latin-1 as declared, under a header of UTF-8',
    Buffer.from(`${DECLARED}<a>é</a>`, 'latin1'),
    'text/xml; charset=utf-8',
    `${DECLARED}<a>é</a>`,
  ],
  [
    'windows-1251 as its header says',
    Buffer.from([0x3c, 0x61, 0x3e, 0xcf, 0xf0]),
    "text/xml; charset='windows-1251'",
    '<a>Пр',
  ],
  [
    'Japanese with escape sequences',
    Buffer.from([0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42]),
    'text/xml; charset=ISO-2022-JP',
    '日',
  ],
])('decodes %s', (_what, body, contentType, text) => {
  expect(feedText(body, contentType)).toBe(text);
});
