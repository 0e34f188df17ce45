/** News from feed to reader: what is stored, what is refused, and who may read it. */
import { expect, test } from 'vitest';
import { type FeedReader, openFeedReader } from '../../server/community/news/feed-thread.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { newsWorldForTests, rssFeed } from './support/services/news.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describeOneDatabase('news', (kind) => {
  const world = newsWorldForTests(kind);
  const feed = (path: string, items: Parameters<typeof rssFeed>[0]) =>
    world().pages.set(path, () => ({ body: rssFeed(items) }));
  const article = (n: number, more: object = {}) => ({
    title: `Title ${n}`,
    link: `https://a.example/${n}`,
    guid: `g${n}`,
    dateMs: world().time.ms - n * HOUR_MS,
    ...more,
  });

  test('stores an article once, by its address and its guid, across two feeds', async () => {
    const moved = { title: 'Moved', link: 'https://a.example/moved', guid: 'g1' };
    feed('/a', [article(1), article(1, { link: 'https://a.example/1?utm_source=rss#x' }), article(2)]);
    await world().collect(['/a']);
    feed('/b', [article(2, { title: 'The same elsewhere' }), article(3)]);
    await world().collect(['/a', '/b']);
    feed('/a', [article(1, moved), article(2, { title: 'Title 2, corrected' })]);

    await world().collect(['/a', '/b']);

    const rows = await world().query('select title, url, site from public.news_articles order by title');
    expect(rows).toEqual([
      { title: 'Moved', url: 'https://a.example/moved', site: 'Feed a' },
      { title: 'Title 2, corrected', url: 'https://a.example/2', site: 'Feed a' },
      { title: 'Title 3', url: 'https://a.example/3', site: 'Feed b' },
    ]);
  });

  test("stores one article when two feeds' articles move to a third's new address in one round", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const own = (n: number, link: string) => [article(n, { guid: `g${turn}-${n}`, link: `${link}-${turn}` })];
      const same = 'https://a.example/same';
      feed('/a', own(1, 'https://a.example/1'));
      feed('/b', own(2, 'https://a.example/2'));
      feed('/c', own(3, 'https://a.example/3'));
      await world().collect(['/a', '/b', '/c']);
      feed('/a', own(1, same));
      feed('/b', own(2, same));
      feed('/c', own(4, same));

      await world().collect(['/a', '/b', '/c']);

      expect(await world().query(`select from public.news_articles where url = '${same}-${turn}'`)).toHaveLength(1);
    }
    expect(await world().query('select failed from private.news_feeds where failed > 0')).toEqual([]);
  });

  test('records a row that the database refuses as a failure of its feed alone', async () => {
    feed('/a', [article(1)]);
    feed('/b', [article(2)]);
    const reader = openFeedReader();
    const tooLong = { title: 'x'.repeat(301), guid: null, summary: null, publishedMs: null, pictureUrl: null };
    const read: FeedReader['read'] = async (feed, signal) =>
      feed.feedUrl.endsWith('/a') ? [{ ...tooLong, url: 'https://a.example/long' }] : await reader.read(feed, signal);

    await world().collect(['/a', '/b'], { reader: { ...reader, read } });
    await reader.close();

    expect(await world().titles()).toEqual(['Title 2']);
    expect(await world().query('select url, last_error from private.news_feeds order by url')).toEqual([
      { url: '/a', last_error: 'refused by the database 23514' },
      { url: '/b', last_error: null },
    ]);
  });

  test('deletes articles of the other kind that belong to no known feed', async () => {
    await world().query(`insert into public.news_articles (title, url, site, published_at, kind)
      values ('Of the other kind', 'https://a.example/other', 'Feed a', now(), 'live')`);
    feed('/a', [article(1)]);

    await world().collect(['/a']);

    expect(await world().titles()).toEqual(['Title 1']);
  });

  test('dates future articles when first seen, undated ones behind the next of their feed, and drops those over 30 days old', async () => {
    const startMs = world().time.ms;
    // Feeds date to the second.
    const recentMs = Math.floor((startMs - DAY_MS) / 1000) * 1000;
    const link = (name: string) => `https://a.example/${name}`;
    feed('/a', [
      { title: 'future', link: link('future'), dateMs: startMs + 5 * DAY_MS },
      { title: 'none', link: link('none') },
      { title: 'recent', link: link('recent'), dateMs: recentMs },
      { title: 'old', link: link('old'), dateMs: startMs - 29 * DAY_MS },
      { title: 'ancient', link: link('ancient'), dateMs: startMs - 31 * DAY_MS },
    ]);
    await world().collect(['/a']);
    world().time.ms += 2 * DAY_MS;
    await world().collect(['/a']);

    const rows = await world().query(
      'select title, (extract(epoch from published_at) * 1000)::float8 as ms from public.news_articles order by title',
    );
    expect(rows).toEqual([
      { title: 'future', ms: startMs },
      { title: 'none', ms: recentMs - 1000 },
      { title: 'recent', ms: recentMs },
    ]);
  });

  test('reads a feed of another encoding than declared, with a base, a zone by name and a script after its end', async () => {
    const atMs = Math.floor((world().time.ms - DAY_MS) / 1000) * 1000;
    const inCet = new Date(atMs + 3_600_000).toUTCString().replace('GMT', 'CET');
    const item = `<item><title>Zürich – now</title><link>story/1</link><pubDate>${inCet}</pubDate></item>`;
    const body = `\ufeff<rss version="2.0" xml:base="https://b.example/news/"><channel><title>T</title>${item}</channel></rss><script>t()</script>`;
    world().pages.set('/a', () => ({ headers: { 'content-type': 'text/xml; charset=iso-8859-1' }, body }));

    await world().collect(['/a']);

    expect(
      await world().query(
        'select title, url, (extract(epoch from published_at) * 1000)::float8 as ms from public.news_articles',
      ),
    ).toEqual([{ title: 'Zürich – now', url: 'https://b.example/news/story/1', ms: atMs }]);
  });

  test('sends conditional requests, and changes nothing on 304', async () => {
    const tags = { etag: '"one"', 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' };
    world().pages.set('/a', ({ headers }) =>
      headers['if-none-match'] === '"one"' && headers['if-modified-since'] === tags['last-modified']
        ? { status: 304 }
        : { headers: tags, body: rssFeed([article(1)]) },
    );

    for (let round = 0; round < 3; round++) await world().collect(['/a']);

    expect(await world().query('select answers, unchanged, failed, etag from private.news_feeds')).toEqual([
      { answers: 1, unchanged: 2, failed: 0, etag: '"one"' },
    ]);
    expect(await world().titles()).toEqual(['Title 1']);
  });

  // read-feed.test.ts in server/community/news tests what is not a feed; guarded-fetch.test.ts what is not fetched.
  test.each([
    ['a page instead', { body: '<!DOCTYPE html><html><body>Just a moment</body></html>' }, 'not a feed'],
    ['no article', { body: rssFeed([]) }, 'no articles'],
    ['not modified, unasked', { status: 304 }, 'status 304'],
    [
      'a redirect into the network',
      { status: 302, headers: { location: 'http://10.0.0.1/' } },
      'address outside the sandbox',
    ],
  ])('records %s as a failure that deletes no row and delays no other feed', async (_what, answer, reason) => {
    feed('/a', [article(1)]);
    await world().collect(['/a']);
    world().pages.set('/a', () => answer);
    feed('/b', [article(2)]);
    await world().query('update private.news_feeds set etag = null, last_modified = null');

    await world().collect(['/a', '/b']);

    expect(await world().titles()).toEqual(['Title 1', 'Title 2']);
    expect(await world().query("select last_error, failures from private.news_feeds where url = '/a'")).toEqual([
      { last_error: reason, failures: 1 },
    ]);
  });

  test('stores hostile titles as short plain text, and drops those left empty', async () => {
    feed('/a', [
      article(1, { title: `<script>alert(1)</script>\u202eEvil <b>title</b> ${'x'.repeat(10_000)}` }),
      article(2, { title: '<img src=x onerror=alert(1)>', description: 'no title is left' }),
      article(3, { link: 'javascript:alert(1)', guid: 'x' }),
    ]);

    await world().collect(['/a']);

    const [title, ...others] = await world().titles();
    expect(others).toEqual([]);
    expect(title).toMatch(/^Evil title x+…$/);
    expect(String(title)).toHaveLength(300);
  });

  test('deletes articles that are taken down, and those of a feed removed from the settings', async () => {
    feed('/a', [article(1), article(2, { link: 'https://news.b.example./2' }), article(3)]);
    feed('/b', [article(4)]);
    await world().collect(['/a', '/b']);
    await world().query("insert into private.news_takedowns (pattern) values ('https://a.example/1'), ('b.example')");

    await world().collect(['/a', '/b']);
    expect(await world().titles()).toEqual(['Title 3', 'Title 4']);
    await world().collect(['/b']);
    expect(await world().titles()).toEqual(['Title 4']);
    await world().query('delete from private.news_takedowns');
    await world().collect(['/a', '/b']);

    expect(await world().titles()).toEqual(['Title 1', 'Title 2', 'Title 3', 'Title 4']);
  });

  test('deletes sample articles at the start of a live server without feeds', async () => {
    feed('/a', [article(1)]);
    await world().collect(['/a']);
    const { newsFeeds, ...addresses } = { newsFeeds: [], youtubeUrl: '', discordUrl: '', patreonUrl: '' };
    const keys = { youtube: null, discordInvite: null, patreonToken: null };

    const live = world().open([], { source: { kind: 'live', addresses: { newsFeeds, ...addresses }, keys } });
    await live.ready;
    expect(await world().titles()).toEqual([]);
    await live.close();

    expect(await world().query('select from private.news_feeds')).toEqual([]);
  });
});
