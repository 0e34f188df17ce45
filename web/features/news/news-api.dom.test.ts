import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { isTooLate } from '../../platform/calls/time-limit.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { fetchArticles, fetchHeadlines } from './news-api.ts';

const ROW = {
  id: 'a1',
  title: 'Bitcoin miners add capacity',
  url: 'https://news.example/1',
  image_url: '/news/images/a1',
  body: 'A summary.',
  site: 'Sample Wire',
  published_at: '2026-11-22T11:00:00+00:00',
};
const { signal } = new AbortController();

const PATH = '/rest/v1/news_articles';
let backend: FakeBackend;
const answer = (body: unknown, status = 200) => backend.on(`GET ${PATH}`, () => json(body, status));
/** The parameters of each request. */
const queries = () => backend.to(PATH).map(({ search }) => [...new URLSearchParams(search)]);

beforeEach(() => {
  backend = fakeBackend();
});

test('requests the newest three headlines, of the columns that visitors may read', async () => {
  const { image_url: _image, body: _body, ...visible } = ROW;
  answer([visible]);

  const headlines = await fetchHeadlines(signal);

  expect(queries()).toEqual([
    [
      ['select', 'id,title,url,site,published_at'],
      ['order', 'published_at.desc'],
      ['limit', '3'],
    ],
  ]);
  expect(headlines).toEqual([
    {
      id: 'a1',
      title: 'Bitcoin miners add capacity',
      category: 'Bitcoin',
      url: 'https://news.example/1',
      site: 'Sample Wire',
      publishedAt: '2026-11-22T11:00:00+00:00',
    },
  ]);
});

test('requests the newest twelve articles, with picture and summary', async () => {
  answer([ROW, { ...ROW, id: 7 }]);

  const articles = await fetchArticles(signal);

  expect(queries()).toEqual([
    [
      ['select', '*'],
      ['order', 'published_at.desc'],
      ['limit', '12'],
    ],
  ]);
  expect(articles.map(({ id }) => id)).toEqual(['a1', '7']);
  expect(articles[0]).toMatchObject({ imagePath: '/news/images/a1', summary: 'A summary.' });
});

test.each([
  ['http', 'http://news.example/1'],
  ['a script', 'javascript:alert(1)'],
  ['a script that begins with a blank', ' javascript:alert(1)'],
  ['data', 'data:text/html,<script>alert(1)</script>'],
  ['no address', 'news'],
  ['two lines', 'https://news.example/\njavascript:alert(1)'],
  ['nothing', null],
])('links no address of %s', async (_what, url) => {
  answer([{ ...ROW, url }]);

  expect((await fetchHeadlines(signal))[0]?.url).toBeNull();
});

test.each([
  ['another origin', 'https://elsewhere.example/p.png'],
  ['another host without a scheme', '//elsewhere.example/p.png'],
  ['the same, written backwards', '/\\elsewhere.example/p.png'],
  ['data', 'data:image/png;base64,AAAA'],
  ['nothing', null],
])('shows no picture of %s', async (_what, image_url) => {
  answer([{ ...ROW, image_url }]);

  expect((await fetchArticles(signal))[0]?.imagePath).toBeNull();
});

test('drops rows of another shape and without a title, keeps null unknown, and cuts what is long', async () => {
  answer([
    null,
    'a row',
    { id: 'x' },
    { ...ROW, title: null },
    { ...ROW, title: '  ' },
    { id: 'b', title: `Ether ${'x'.repeat(10_000)}`, url: null, site: null, published_at: null, body: null },
    { ...ROW, body: 'y'.repeat(10_000), site: 'z'.repeat(10_000) },
  ]);

  const [long, wordy, ...rest] = await fetchArticles(signal);

  expect(rest).toEqual([]);
  expect(long).toMatchObject({ category: 'Ethereum', site: null, publishedAt: null, summary: null, imagePath: null });
  expect([long?.title.length, wordy?.summary?.length, wordy?.site?.length]).toEqual([301, 601, 61]);
});

test('leaves the next try to the page when the store is unavailable', async () => {
  answer({ message: 'starting up' }, 503);

  await expect(fetchHeadlines(signal)).rejects.toThrow('starting up');
  expect(queries()).toHaveLength(1);
});

test('fails in time when a store never answers', async () => {
  backend.on(`GET ${PATH}`, () => new Promise(() => {}));
  const limit = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const failure = fetchArticles(signal).catch((reason: unknown) => reason);
  await waitFor(() => expect(queries()).toHaveLength(1));

  limit.abort(new DOMException('', 'TimeoutError'));

  expect(isTooLate(await failure)).toBe(true);
  // The request itself is ended too.
  expect(backend.to(PATH)[0]?.signal?.aborted).toBe(true);
});
