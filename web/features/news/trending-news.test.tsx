import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { CONFIG, type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../ui/browser/time-zone.ts';
import { TrendingNews } from './trending-news.tsx';

const PATH = '/rest/v1/news_articles';
const NOON = Date.parse('2026-11-22T12:00:00Z');
const MINUTE_MS = 60_000;

let backend: FakeBackend;
const answer = (...headlines: object[]) => backend.on(`GET ${PATH}`, () => json(headlines));
const fail = (message: string) => backend.on(`GET ${PATH}`, () => json({ message }, 500));

beforeEach(() => {
  setProfileZone('UTC');
  vi.useFakeTimers({ now: NOON, shouldAdvanceTime: true });
  backend = fakeBackend();
  backend.config({ community: 'live' });
  answer(aHeadline());
});

function aHeadline(change: object = {}) {
  return {
    id: 'a1',
    title: 'Bitcoin miners add capacity',
    url: 'https://news.example/1',
    site: 'Sample Wire',
    published_at: new Date(NOON - 3 * MINUTE_MS).toISOString(),
    ...change,
  };
}

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TrendingNews className="place" />
    </QueryClientProvider>,
  );
  return within(screen.getByRole('region', { name: 'Trending Now' }));
}

test('shows that it loads, then each headline with its link, category, site and age', async () => {
  const panel = show();
  expect(panel.getByRole('status').textContent).toBe('Loading news...');

  const link = await panel.findByRole('link', { name: 'Bitcoin miners add capacity' });

  expect(link.getAttribute('href')).toBe('https://news.example/1');
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
  expect(panel.getByRole('heading', { level: 3 }).getAttribute('dir')).toBe('auto');
  expect(panel.getByText('Bitcoin')).toBeDefined();
  expect(panel.getByText('Sample Wire')).toBeDefined();
  const age = panel.getByText('3m ago');
  expect(age.getAttribute('title')).toBe('22 Nov 2026, 11:57:00 UTC');
  expect(age.tabIndex).toBe(0);
  expect(panel.queryByText('Loading news...')).toBeNull();
});

test.each([
  [5000, '0m ago'],
  [59 * MINUTE_MS, '59m ago'],
  [60 * MINUTE_MS, '1h ago'],
  [24 * 60 * MINUTE_MS, '1d ago'],
  [-5 * MINUTE_MS, '0m ago'],
])('describes an article of %d ms ago as %s', async (ageMs, text) => {
  answer(aHeadline({ published_at: new Date(NOON - ageMs).toISOString() }));

  expect(await show().findByText(text)).toBeDefined();
});

test('does not accept banking as a category here', async () => {
  answer(aHeadline({ title: 'A bank opens' }));
  const panel = show();

  expect(await panel.findByText('Markets')).toBeDefined();
  expect(panel.queryByText('Banking')).toBeNull();
});

test('renders hostile and missing words as text, or leaves them out', async () => {
  const title = '<img src=x onerror=alert(1)> \u202e<b>reversed';
  answer(aHeadline({ title, url: null, site: null, published_at: null }));
  const panel = show();

  const heading = await panel.findByRole('heading', { level: 3 });

  expect(heading.textContent).toBe(title);
  expect(heading.querySelector('img, b, a')).toBeNull();
  expect(document.querySelector('time')).toBeNull();
});

test('leaves out an invalid age', async () => {
  answer(aHeadline({ published_at: 'yesterday' }));
  const panel = show();

  await panel.findByRole('link');

  expect(document.querySelector('time')).toBeNull();
});

test('says that there are none, and requests them again soon', async () => {
  answer();
  const panel = show();
  expect(await panel.findByText('No news available')).toBeDefined();
  expect(panel.queryByRole('button', { name: 'Retry' })).toBeNull();

  answer(aHeadline());
  await act(() => vi.advanceTimersByTimeAsync(10_000));

  expect(await panel.findByRole('link')).toBeDefined();
});

test('says that there are none when news fail, until Retry', async () => {
  fail('permission denied');
  const panel = show();
  expect(await panel.findByText('No news available')).toBeDefined();
  expect(panel.queryByText(/permission denied/)).toBeNull();

  answer(aHeadline());
  await userEvent.click(panel.getByRole('button', { name: 'Retry' }));

  expect(await panel.findByRole('link')).toBeDefined();
  expect(panel.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('keeps headlines when newer ones do not arrive, with their time, until Retry', async () => {
  const panel = show();
  await panel.findByRole('link');

  fail('away');
  await act(() => vi.advanceTimersByTimeAsync(300_000));

  expect(await panel.findByText(/^as of [45]m ago$/)).toBeDefined();
  expect(panel.getByRole('link')).toBeDefined();
  answer(aHeadline({ id: 'a2', title: 'Newer' }));
  await userEvent.click(panel.getByRole('button', { name: 'Retry' }));
  expect(await panel.findByRole('link', { name: 'Newer' })).toBeDefined();
  expect(panel.queryByText(/as of/)).toBeNull();
});

test.each([
  ['simulated', 1],
  ['live', 0],
] as const)('marks news of the kind %s with %d badges', async (kind, count) => {
  backend.config({ community: kind });
  const panel = show();
  await panel.findByRole('link');

  expect(panel.queryAllByText('simulated')).toHaveLength(count);
});

test('marks news of an unknown kind with no badge', async () => {
  backend.on('GET /config.json', () => json({}, 503));
  const panel = show();
  const retry = await panel.findByRole('button', { name: 'Retry' });

  // The page fetches the kind only once; the news need the settings too.
  backend.on('GET /config.json', () => json({ ...CONFIG, community: 'simulated' }));
  await userEvent.click(retry);

  await panel.findByRole('link');
  expect(panel.queryAllByText('simulated')).toEqual([]);
});
