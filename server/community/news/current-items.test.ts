import { expect, test } from 'vitest';
import { currentItems } from './news-store.ts';
import type { FeedItem } from './read-feed.ts';

const NOW = Date.UTC(2026, 10, 21, 10);
const HOUR_MS = 3_600_000;
const item = (name: string, hoursAgo: number | null): FeedItem => ({
  title: name,
  url: `https://a.example/${name}`,
  guid: null,
  summary: null,
  pictureUrl: null,
  publishedMs: hoursAgo === null ? null : NOW - hoursAgo * HOUR_MS,
});
const byDate = (items: readonly FeedItem[]) =>
  currentItems(items, NOW)
    .toSorted((a, b) => b.publishedMs - a.publishedMs)
    .map(({ title }) => title);

test.each([
  ['first', [item('x', null), item('a', 1), item('b', 5)], ['a', 'x', 'b']],
  ['in the middle', [item('a', 1), item('x', null), item('b', 5)], ['a', 'b', 'x']],
  ['last', [item('a', 1), item('b', 5), item('x', null)], ['a', 'b', 'x']],
  ['twice', [item('x', null), item('y', null), item('a', 1)], ['a', 'x', 'y']],
])('never lets an article without a date lead: %s', (_where, items, order) => {
  expect(byDate(items)).toEqual(order);
});

test('puts a feed without any date behind the news of a day', () => {
  const [only] = currentItems([item('x', null)], NOW);

  expect(only?.publishedMs).toBeLessThan(NOW - 24 * HOUR_MS);
});
