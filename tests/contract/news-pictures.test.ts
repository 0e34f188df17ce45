/** News pictures through our own origin: fetched, reduced and served; and everything that is not a picture. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createApp } from '../../server/app.ts';
import { MAX_PIXELS } from '../../server/community/news/collect-pictures.ts';
import { newsPictureStore } from '../../server/community/news/news-picture-store.ts';
import { newsRoutes } from '../../server/community/news.ts';
import { bombPng, photograph, plainPicture } from '../support/browser/pictures.ts';
import { testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { newsWorldForTests, rssFeed } from './support/services/news.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

describeOneDatabase('news pictures', (kind) => {
  const world = newsWorldForTests(kind);

  /** Runs a round over one feed whose articles have these pictures. @returns the picture paths of the articles */
  async function collectWith(pictures: readonly string[], rounds = 1): Promise<(string | null)[]> {
    const items = pictures.map((picture, n) => ({
      title: `Title ${n}`,
      link: `https://a.example/${n}`,
      dateMs: world().time.ms - n * 60_000,
      picture,
    }));
    world().pages.set('/a', () => ({ body: rssFeed(items) }));
    for (let round = 0; round < rounds; round++) await world().collect(['/a']);
    const rows = await world().query('select image_url from public.news_articles order by published_at desc');
    return rows.map((row) => (row.image_url === null ? null : String(row.image_url)));
  }

  async function request(path: string, init?: RequestInit): Promise<Response> {
    const pictures = newsPictureStore(world().server.database, 'simulated');
    const app = createApp({
      log: testLog,
      isHttps: false,
      siteDir: import.meta.dirname,
      isOwnHost: () => true,
      routes: [newsRoutes({ pictures })],
    });
    return app.request(path, init);
  }

  test('converts a photograph to a small WebP with immutable caching', async () => {
    const photo = await photograph('jpeg', 1200, 600);
    world().pages.set('/p.jpg', () => ({ body: photo, headers: { 'content-type': 'text/html' } }));
    const [path] = await collectWith(['/p.jpg']);
    const [row] = await world().query("select encode(webp, 'base64') as webp from private.news_pictures");
    const { format, width, height } = await sharp(Buffer.from(String(row?.webp), 'base64')).metadata();

    const answer = await request(path ?? '');

    expect({ format, width, height }).toEqual({ format: 'webp', width: 320, height: 160 });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(answer.headers.get('cache-control')).toMatch(/max-age=\d{5,}, immutable/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('gives up pictures that are invalid, too large or elsewhere after eight attempts', async () => {
    const small = await plainPicture('png', 10);
    const { pages } = world();
    pages.set('/svg', () => ({ body: SVG, headers: { 'content-type': 'image/png' } }));
    pages.set('/html', () => ({ body: '<html></html>', headers: { 'content-type': 'image/jpeg' } }));
    const avif = await plainPicture('avif', 16);
    pages.set('/bomb', () => ({ body: bombPng(30_000, 30_000, false) }));
    // Complete, with one pixel row too many: it would decode.
    pages.set('/over', () => ({ body: bombPng(2000, MAX_PIXELS / 2000 + 1) }));
    pages.set('/avif', () => ({ body: avif }));
    pages.set('/under', () => ({ body: bombPng(2000, MAX_PIXELS / 2000) }));
    pages.set('/cut', () => ({ body: small.subarray(0, small.length - 20) }));
    pages.set('/huge', () => ({ body: Buffer.alloc(3 << 20) }));
    pages.set('/empty', () => ({ body: '' }));
    pages.set('/away', () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } }));
    pages.set('/good', () => ({ body: small }));

    const paths = await collectWith(
      ['/svg', '/html', '/bomb', '/over', '/avif', '/cut', '/huge', '/empty', '/away', '/gone', '/under', '/good'],
      10,
    );

    expect(paths.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => null));
    for (const path of paths.slice(10)) expect(path).toMatch(/^\/news\/images\/[0-9a-f-]{36}\.webp$/);
    expect(world().requests.filter(({ path }) => path === '/svg')).toHaveLength(8);
    expect(world().requests.filter(({ path }) => path === '/good')).toHaveLength(1);
  });

  test('retries an unavailable picture after 1, 10, 100 and then every 360 minutes', async () => {
    const waits: unknown[] = [];
    for (let round = 0; round < 5; round++) {
      await collectWith(['/gone']);
      const [row] = await world().query(
        'select round(extract(epoch from picture_due_at - now()) / 60)::int as minutes from private.news_sources',
      );
      waits.push(row?.minutes);
    }

    expect(waits).toEqual([1, 10, 100, 360, 360]);
    expect(await newsPictureStore(world().server.database, 'simulated').missing(10)).toEqual([]);
  });

  test('fetches a picture that a feed adds later', async () => {
    const small = await plainPicture('png', 10);
    world().pages.set('/good', () => ({ body: small }));
    const item = { title: 'Title', link: 'https://a.example/0', dateMs: world().time.ms };
    world().pages.set('/a', () => ({ body: rssFeed([item]) }));
    await world().collect(['/a']);

    const [path] = await collectWith(['/good']);

    expect(path).toMatch(/^\/news\/images\//);
  });

  test("serves no picture under its article's public id", async () => {
    const small = await plainPicture('png', 10);
    world().pages.set('/good', () => ({ body: small }));
    const [path] = await collectWith(['/good']);
    const [row] = await world().query('select id from public.news_articles');

    expect((await request(path ?? '')).status).toBe(200);
    expect((await request(`/news/images/${row?.id}.webp`)).status).toBe(404);
  });

  test('deletes the picture with its article', async () => {
    const small = await plainPicture('png', 10);
    world().pages.set('/good', () => ({ body: small }));
    const [path] = await collectWith(['/good']);
    await world().query("insert into private.news_takedowns (pattern) values ('a.example')");

    await world().collect(['/a']);

    expect((await request(path ?? '')).status).toBe(404);
    expect(await world().query('select from private.news_pictures')).toEqual([]);
  });

  test('stores pictures of only the newest sixty articles', async () => {
    const small = await plainPicture('png', 10);
    world().pages.set('/good', () => ({ body: small }));

    const paths = await collectWith(
      Array.from({ length: 70 }, () => '/good'),
      4,
    );

    expect(paths.filter((path) => path !== null)).toHaveLength(60);
    expect(paths.slice(60).every((path) => path === null)).toBe(true);
  });

  test.each([
    [`/news/images/${randomUUID()}.webp`],
    ['/news/images/1.webp'],
    ['/news/images/..%2f..%2fetc%2fpasswd'],
    [`/news/images/${randomUUID()}`],
    [`/news/images/${randomUUID()}.webp/more`],
    ['/news/images/%00.webp'],
    ['/news/images'],
  ])('returns 404 as JSON for %s', async (path) => {
    const answer = await request(path);

    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: expect.anything() });
  });

  test('refuses DELETE with 405', async () => {
    const answer = await request(`/news/images/${randomUUID()}.webp`, { method: 'DELETE' });

    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});
