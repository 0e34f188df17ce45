import { parseAtomFeed } from 'feedsmith';
import { Hono } from 'hono';
import pino from 'pino';
import { expect, test } from 'vitest';
import { errorResponse } from '../platform/http/calls/http-errors.ts';
import type { FeedPost } from './changelog/changelog-store.ts';
import { plainPost } from './changelog/post-html.ts';
import { renderPosts } from './changelog/render-posts.ts';
import { type ChangelogFeedDeps, changelogFeed } from './changelog-feed.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const log = pino({ level: 'silent' });

/** A feed over posts in memory that counts its queries. */
function aFeed(posts: FeedPost[], more: Partial<ChangelogFeedDeps> = {}) {
  const counts = { state: 0, newest: 0, rendered: 0 };
  const time = { ms: NOON };
  const feed = changelogFeed({
    store: {
      state: async () => {
        counts.state += 1;
        return JSON.stringify(posts);
      },
      newest: async () => {
        counts.newest += 1;
        return [...posts];
      },
    },
    clock: { nowMs: () => time.ms },
    log,
    origin: (request) => new URL(request.url).origin,
    render: async (contents) => {
      counts.rendered += 1;
      return { pages: contents.map(plainPost), isWhole: true };
    },
    ...more,
  });
  const routes = new Hono().route('/', feed);
  routes.onError(errorResponse);
  const get = (headers: Record<string, string> = {}, origin = 'http://kat.example') =>
    routes.request(`${origin}/change-log.atom`, { headers });
  return { counts, time, routes, get };
}

function aPost(n: number, content = `Post ${n}`): FeedPost {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  return { id, content, publishedMs: NOON - n * 60_000, updatedMs: NOON - n * 60_000 };
}

test('serves Atom, cached for a minute, under a sandbox policy', async () => {
  const answer = await aFeed([aPost(1)]).get();

  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  expect(answer.headers.get('last-modified')).toBe('Fri, 20 Nov 2026 11:59:00 GMT');
  expect(parseAtomFeed(await answer.text()).entries).toHaveLength(1);
});

test('answers 304 without a body to a reader with the current feed', async () => {
  const { get } = aFeed([aPost(1)]);
  const first = await get();
  const [etag, date] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];

  for (const headers of [
    { 'if-none-match': etag },
    { 'if-none-match': `"other", ${etag.slice(2)}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': date },
  ]) {
    const again = await get(headers);
    expect([headers, again.status, await again.text()]).toEqual([headers, 304, '']);
    expect(again.headers.get('etag')).toBe(etag);
  }
  expect((await get({ 'if-none-match': '"other"', 'if-modified-since': date })).status).toBe(200);
});

test('answers 200 after a post was removed, even to a reader with a newer date', async () => {
  const posts = [aPost(1), aPost(2)];
  const { get } = aFeed(posts);
  const first = await get();
  posts.shift();

  const [etag, date] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
  expect((await get({ 'if-modified-since': date })).status).toBe(200);
  expect((await get({ 'if-none-match': etag })).status).toBe(200);
});

test('shares one computation among simultaneous and later readers until a post changes', async () => {
  const posts = [aPost(1)];
  const { counts, get } = aFeed(posts);

  const answers = await Promise.all(Array.from({ length: 100 }, () => get()));
  await get();

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(counts).toEqual({ state: 2, newest: 1, rendered: 1 });
  posts[0] = { ...aPost(1), content: 'Edited', updatedMs: NOON };
  expect(await (await get()).text()).toContain('Edited');
  expect(counts).toEqual({ state: 3, newest: 2, rendered: 2 });
});

test('uses each origin’s own addresses', async () => {
  const { counts, get } = aFeed([aPost(1)]);

  for (const origin of ['http://a.example', 'https://b.example:8443', 'http://a.example'])
    expect(await (await get({}, origin)).text()).toContain(`href="${origin}/change-log.atom"`);

  expect(counts.rendered).toBe(1);
});

test('allows only GET and HEAD', async () => {
  const { routes } = aFeed([]);

  expect((await routes.request('/change-log.atom', { method: 'HEAD' })).status).toBe(200);
  const refused = await routes.request('/change-log.atom', { method: 'POST' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('fails with 500 when the database is unavailable', async () => {
  const { get } = aFeed([], {
    store: { state: () => Promise.reject(new Error('away')), newest: () => Promise.reject(new Error('away')) },
  });

  expect((await get()).status).toBe(500);
});

test('renders again later when the first rendering was incomplete', async () => {
  let renders = 0;
  const { get, time } = aFeed([aPost(1)], {
    render: async (contents) => {
      renders += 1;
      return { pages: contents.map(plainPost), isWhole: renders > 1 };
    },
  });

  await get();
  await get();
  expect(renders).toBe(1);
  time.ms += 5 * 60_000;
  await get();
  time.ms += 60 * 60_000;
  await get();
  expect(renders).toBe(2);
});

test('renders each post to HTML in order on a thread', async () => {
  const { pages, isWhole } = await renderPosts(['# One', '**Two**'], log);

  expect([pages, isWhole]).toEqual([
    [
      { title: 'One', html: '<h1>One</h1>' },
      { title: 'Two', html: '<p><strong>Two</strong></p>' },
    ],
    true,
  ]);
});

test('ends a thread that takes too long, and returns the posts as plain text', async () => {
  // Seconds of work, so that the thread is not done before a busy machine ends it.
  const slow = Array.from({ length: 300 }, () => '**Two** '.repeat(2000));

  const { pages, isWhole } = await renderPosts([...slow, '# <Last>'], log, { limitMs: 0 });

  expect([pages.length, pages.at(-1), isWhole]).toEqual([301, plainPost('# <Last>'), false]);
});
