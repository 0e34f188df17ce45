import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { categoryOf, NEWS_CATEGORIES } from '#domain/community/news.ts';
import { answerNews, NEWS_FEEDS } from './news-feeds.ts';
import { sampleArticles } from './sample-news.ts';

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

test('lists the same articles at the same time, newest first, none from the future', () => {
  const articles = sampleArticles(NOON_MS);
  const times = articles.map(({ publishedMs }) => publishedMs);

  expect(articles).toHaveLength(28);
  expect(sampleArticles(NOON_MS)).toEqual(articles);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(times[0]).toBeLessThanOrEqual(NOON_MS);
  expect(times.at(-1)).toBeGreaterThan(NOON_MS - 4 * DAY_MS);
});

test('adds articles and drops old ones, each marked as a sample', () => {
  const [before, after] = [sampleArticles(NOON_MS), sampleArticles(NOON_MS + DAY_MS)];

  expect(after.filter(({ number }) => !before.some((one) => one.number === number)).length).toBeGreaterThan(5);
  for (const { title, summary } of [...before, ...after]) {
    expect(title).toMatch(/^Sample: /);
    expect(summary).toContain('sample');
  }
});

test('has an article of every category at any time', () => {
  for (let hour = 0; hour < 96; hour += 5) {
    const found = new Set(sampleArticles(NOON_MS + hour * 3_600_000).map(({ title }) => categoryOf(title)));

    expect([...found].sort()).toEqual([...NEWS_CATEGORIES].sort());
  }
});

test('answers 304 to a caller with current tags, until there is something new', () => {
  for (const { path } of NEWS_FEEDS) {
    const first = answerNews(path, {}, NOON_MS);
    const { etag = '', 'last-modified': modified = '' } = first?.headers ?? {};

    expect(first?.status).toBe(200);
    expect(answerNews(path, { 'if-none-match': etag }, NOON_MS)).toMatchObject({ status: 304, body: '' });
    expect(answerNews(path, { 'if-modified-since': modified }, NOON_MS)?.status).toBe(304);
    expect(answerNews(path, { 'if-none-match': etag }, NOON_MS + DAY_MS)?.status).toBe(200);
  }
});

test.each([
  // RFC 822 in RSS, RFC 3339 in the others.
  ['Sample Wire', /<pubDate>(.*?)<\/pubDate>/g, (ms: number) => new Date(ms).toUTCString()],
  ['Sample Ledger', /<published>(.*?)<\/published>/g, (ms: number) => new Date(ms).toISOString()],
  ['Sample Gazette', /<dc:date>(.*?)<\/dc:date>/g, (ms: number) => new Date(ms).toISOString()],
  ['Sample Observer', /"date_published":"(.*?)"/g, (ms: number) => new Date(ms).toISOString()],
])('dates every article in %s as its format does, newest first', (name, pattern, written) => {
  const at = NEWS_FEEDS.findIndex((feed) => feed.name === name);

  const body = String(answerNews(NEWS_FEEDS[at]?.path ?? '', {}, NOON_MS)?.body);

  const own = sampleArticles(NOON_MS).filter(({ number }) => number % NEWS_FEEDS.length === at);
  expect([...body.matchAll(pattern)].map(([, date]) => date)).toEqual(
    own.map(({ publishedMs }) => written(publishedMs)),
  );
  expect(own.length).toBeGreaterThan(0);
});

test('draws a PNG: each chunk with its checksum, as many pixels as its header says', () => {
  const { status, body } = answerNews('/news/pictures/7.png', {}, NOON_MS) ?? expect.fail('no picture');
  const png = Buffer.isBuffer(body) ? body : expect.fail('no bytes');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end));
    at = end + 4;
  }
  const header = chunks.get('IHDR') ?? expect.fail('no header');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];

  expect([status, png.toString('latin1', 0, 4)]).toEqual([200, '\u0089PNG']);
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  expect(inflateSync(chunks.get('IDAT') ?? '')).toHaveLength((3 * width + 1) * height);
});

test('returns null for other paths', () => {
  for (const path of ['/news', '/news/', '/news/wire', '/news/pictures/x.png', '/news/pictures/1.png/..'])
    expect(answerNews(path, {}, NOON_MS)).toBe(null);
});
