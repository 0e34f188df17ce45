import { expect, test } from 'vitest';
import { categoryOf, NEWS_CATEGORIES } from '#domain/community/news.ts';
import { answerNews, NEWS_FEEDS } from './news-feeds.ts';
import { sampleArticles } from './sample-news.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

test('articles are the same at the same time, newest first, of the last days, and none is of the future', () => {
  const articles = sampleArticles(NOON_MS);
  const times = articles.map(({ publishedMs }) => publishedMs);

  expect(articles).toHaveLength(28);
  expect(sampleArticles(NOON_MS)).toEqual(articles);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(times[0]).toBeLessThanOrEqual(NOON_MS);
  expect(times.at(-1)).toBeGreaterThan(NOON_MS - 4 * DAY_MS);
});

test('new ones come, old ones leave, and every one says that it is a sample', () => {
  const [before, after] = [sampleArticles(NOON_MS), sampleArticles(NOON_MS + DAY_MS)];

  expect(after.filter(({ number }) => !before.some((one) => one.number === number)).length).toBeGreaterThan(5);
  for (const { title, summary } of [...before, ...after]) {
    expect(title).toMatch(/^Sample: /);
    expect(summary).toContain('sample');
  }
});

test('every category has an article at any time', () => {
  for (let hour = 0; hour < 96; hour += 5) {
    const found = new Set(sampleArticles(NOON_MS + hour * 3_600_000).map(({ title }) => categoryOf(title)));

    expect([...found].sort()).toEqual([...NEWS_CATEGORIES].sort());
  }
});

test('a feed answers 304 to whoever knows its tags, until there is something new', () => {
  for (const { path } of NEWS_FEEDS) {
    const first = answerNews(path, {}, NOON_MS);
    const { etag = '', 'last-modified': modified = '' } = first?.headers ?? {};

    expect(first?.status).toBe(200);
    expect(answerNews(path, { 'if-none-match': etag }, NOON_MS)).toMatchObject({ status: 304, body: '' });
    expect(answerNews(path, { 'if-modified-since': modified }, NOON_MS)?.status).toBe(304);
    expect(answerNews(path, { 'if-none-match': etag }, NOON_MS + DAY_MS)?.status).toBe(200);
  }
});

test('other addresses are nothing', () => {
  for (const path of ['/news', '/news/', '/news/wire', '/news/pictures/x.png', '/news/pictures/1.png/..'])
    expect(answerNews(path, {}, NOON_MS)).toBe(null);
});
