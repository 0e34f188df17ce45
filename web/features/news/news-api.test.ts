import { expect, test, vi } from 'vitest';
import { type Tables, tables } from '../../platform/supabase.ts';
import { isTooLate } from '../../platform/time-limit.ts';
import { fetchArticles, fetchHeadlines } from './news-api.ts';

vi.mock('../../platform/supabase.ts', () => ({ tables: vi.fn() }));

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

/** A client that records the calls of one select and answers with `answer`. */
function aClient(answer: unknown): [string, unknown[]][] {
  const calls: [string, unknown[]][] = [];
  const step: object = new Proxy(
    {},
    {
      get: (_target, name: string) => {
        if (name === 'then') return undefined;
        return (...args: unknown[]) => {
          if (name === 'abortSignal') return answer;
          calls.push([name, args]);
          return step;
        };
      },
    },
  );
  vi.mocked(tables).mockResolvedValue(step as Tables);
  return calls;
}
const rows = (...data: unknown[]) => Promise.resolve({ data, error: null });

test('headlines are the newest three, of the columns that visitors may read', async () => {
  const { image_url: _image, body: _body, ...visible } = ROW;
  const calls = aClient(rows(visible));

  const headlines = await fetchHeadlines(signal);

  expect(calls).toEqual([
    ['from', ['news_articles']],
    ['select', ['id, title, url, site, published_at']],
    ['order', ['published_at', { ascending: false }]],
    ['limit', [3]],
    ['retry', [false]],
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

test('articles are the newest twelve, with picture and summary', async () => {
  const calls = aClient(rows(ROW, { ...ROW, id: 7 }));

  const articles = await fetchArticles(signal);

  expect(calls).toContainEqual(['limit', [12]]);
  expect(calls).toContainEqual(['select', ['*']]);
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
])('an address of %s is no link', async (_what, url) => {
  aClient(rows({ ...ROW, url }));

  expect((await fetchHeadlines(signal))[0]?.url).toBeNull();
});

test.each([
  ['another origin', 'https://elsewhere.example/p.png'],
  ['another host without a scheme', '//elsewhere.example/p.png'],
  ['the same, written backwards', '/\\elsewhere.example/p.png'],
  ['data', 'data:image/png;base64,AAAA'],
  ['nothing', null],
])('a picture of %s is none', async (_what, image_url) => {
  aClient(rows({ ...ROW, image_url }));

  expect((await fetchArticles(signal))[0]?.imagePath).toBeNull();
});

test('rows of another shape and without a title are left out, what is null stays unknown, what is long is cut', async () => {
  aClient(
    rows(
      null,
      'a row',
      { id: 'x' },
      { ...ROW, title: null },
      { ...ROW, title: '  ' },
      { id: 'b', title: `Ether ${'x'.repeat(10_000)}`, url: null, site: null, published_at: null, body: null },
      { ...ROW, body: 'y'.repeat(10_000), site: 'z'.repeat(10_000) },
    ),
  );

  const [long, wordy, ...rest] = await fetchArticles(signal);

  expect(rest).toEqual([]);
  expect(long).toMatchObject({ category: 'Ethereum', site: null, publishedAt: null, summary: null, imagePath: null });
  expect([long?.title.length, wordy?.summary?.length, wordy?.site?.length]).toEqual([301, 601, 61]);
});

test.each([
  ['refuses with words', { data: null, error: { message: 'permission denied' } }, 'permission denied'],
  ['refuses without words', { data: null, error: { message: '' } }, 'News could not be read'],
  ['answers something else', { data: '<html>', error: null }, /array/],
])('a store that %s fails', async (_what, answer, message) => {
  aClient(Promise.resolve(answer));

  await expect(fetchHeadlines(signal)).rejects.toThrow(message);
});

test('a store that never answers fails in time', async () => {
  aClient(new Promise(() => {}));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));

  expect(isTooLate(await fetchArticles(signal).catch((reason: unknown) => reason))).toBe(true);
});
