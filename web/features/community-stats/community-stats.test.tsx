import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChannelStats, ChatMembers, PatronStats } from '#domain/community/counters.ts';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { CommunityStats } from './community-stats.tsx';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const fetchedAt = new Date(NOON - 4 * 60_000).toISOString();
const CHANNEL: ChannelStats = {
  kind: 'live',
  fetchedAt,
  title: 'A channel',
  subscriberCount: 45_678,
  viewCount: 3_210_000,
  videos: [],
};
const MEMBERS: ChatMembers = { kind: 'live', fetchedAt, members: 8432, online: 611 };
const PATRONS: PatronStats = { kind: 'live', fetchedAt, patrons: 213 };
const NOTHING = { fetchedAt: null };
const PATHS = ['channel-stats', 'chat-members', 'patron-stats'] as const;

let backend: FakeBackend;
beforeEach(() => {
  vi.useFakeTimers({ now: NOON, shouldAdvanceTime: true });
  backend = fakeBackend();
  answer('channel-stats', CHANNEL);
  answer('chat-members', MEMBERS);
  answer('patron-stats', PATRONS);
  backend.on('GET /site.json', () => json(SAMPLE_SETTINGS));
});
afterEach(() => {
  vi.useRealTimers();
});

function answer(name: (typeof PATHS)[number], body: unknown, status = 200) {
  backend.on(`GET /functions/v1/${name}`, () => json(body, status));
}
function show(variant: 'home' | 'about' = 'home') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <CommunityStats variant={variant} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
}
/** By name, with the words beside: '8.4K611 online'. */
function figures(): Record<string, string> {
  const names = screen.getAllByRole('term');
  return Object.fromEntries(names.map((name) => [name.textContent, name.nextElementSibling?.textContent ?? '']));
}

test('shows four counts, in thousands and millions, with the time of the request', async () => {
  show();

  await screen.findByText('45.7K');
  expect(await screen.findByText('213')).toBeDefined();
  expect(figures()).toEqual({ Subscribers: '45.7K', Views: '3.2M', Members: '8.4K611 online', Patrons: '213' });
  expect(screen.getByText('4m ago')).toBeDefined();
  expect(screen.queryByText(/simulated|default/)).toBeNull();
});

test('shows names and places while the counts load', async () => {
  for (const name of PATHS) backend.on(`GET /functions/v1/${name}`, () => new Promise(() => {}));
  show();

  expect(figures()).toEqual({ Subscribers: '', Views: '', Members: '', Patrons: '' });
  expect(screen.getByRole('region', { name: 'Community' })).toBeDefined();
  expect(screen.queryByText('32.2k')).toBeNull();
});

test.each([
  ['home', '32.2k', '1.0M'],
  ['about', '2.1M', '700k'],
] as const)('shows the defaults on the %s page for a channel that fails, and says so', async (variant, subs, views) => {
  for (const name of PATHS) answer(name, { error: 'x' }, 503);
  show(variant);

  await screen.findByText(subs);
  expect(figures()).toEqual({
    Subscribers: `${subs}default, not live`,
    Views: `${views}default, not live`,
    Members: '—unknown',
    Patrons: '—unknown',
  });
  expect(screen.getByText('We couldn’t load the community figures.')).toBeDefined();
});

test('treats a server that knows nothing as no error, and marks the defaults', async () => {
  answer('channel-stats', { ...CHANNEL, ...NOTHING, title: null, subscriberCount: null, viewCount: null });
  answer('chat-members', { ...MEMBERS, ...NOTHING, members: null, online: null });
  answer('patron-stats', { ...PATRONS, ...NOTHING, patrons: null });
  show();

  await screen.findByText('32.2k');
  expect(figures().Members).toBe('—unknown');
  expect(screen.queryByRole('button')).toBeNull();
});

test('shows hidden subscribers as hidden, not as a default, and hides nothing else', async () => {
  answer('channel-stats', { ...CHANNEL, subscriberCount: null });
  show();

  await screen.findByText('3.2M');
  expect(figures().Subscribers).toBe('—hidden by the channel');
});

test.each([
  ['HTML instead of JSON', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['nothing', () => new Response('')],
  ['another shape', () => json({ ...PATRONS, patrons: '213' })],
  ['a count below nothing', () => json({ ...PATRONS, patrons: -1 })],
])('leaves the count of %s unknown, and the others unchanged', async (_what, bad) => {
  backend.on('GET /functions/v1/patron-stats', bad);
  show();

  await screen.findByText('45.7K');
  await screen.findByText('We couldn’t load the community figures.');
  expect(figures()).toMatchObject({ Subscribers: '45.7K', Patrons: '—unknown' });
});

test('requests only what failed on Retry', async () => {
  answer('patron-stats', {}, 500);
  const user = show();
  await screen.findByText('We couldn’t load the community figures.');
  answer('patron-stats', PATRONS);

  await user.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByText('213')).toBeDefined();
  expect(backend.to('/functions/v1/patron-stats')).toHaveLength(2);
  expect(backend.to('/functions/v1/channel-stats')).toHaveLength(1);
});

test('keeps old counts when newer ones fail, with their age', async () => {
  show();
  await screen.findByText('45.7K');
  await screen.findByText('213');

  for (const name of PATHS) answer(name, {}, 500);
  await act(() => vi.advanceTimersByTimeAsync(301_000));

  expect(await screen.findByText(/Shown as of/)).toBeDefined();
  expect(figures()).toMatchObject({ Subscribers: '45.7K', Patrons: '213' });
});

test('marks a count that its service has not updated for hours', async () => {
  answer('chat-members', { ...MEMBERS, fetchedAt: new Date(NOON - 5 * 3_600_000).toISOString() });
  show();

  await screen.findByText('45.7K');
  expect(figures().Members).toBe('8.4K5h ago');
});

test('marks generated counts as simulated', async () => {
  answer('channel-stats', { ...CHANNEL, kind: 'simulated' });
  show();

  expect(await screen.findByText('simulated')).toBeDefined();
});

test('shows links on the home page, and only the figures on the about page', async () => {
  show('home');
  const list = await screen.findByRole('list');

  const links = within(list).getAllByRole('link');

  expect(links.map((link) => [link.firstChild?.firstChild?.textContent, link.getAttribute('href')])).toEqual([
    ['Video channel', SAMPLE_SETTINGS.links.channel],
    ['Chat community', SAMPLE_SETTINGS.links.chat],
    ['Patron page', SAMPLE_SETTINGS.links.patrons],
    ['Download simulator', SAMPLE_SETTINGS.links.simulatorDownload],
  ]);
  expect(screen.getByText('sample links')).toBeDefined();
});

test('reports links that do not load, and loads them again', async () => {
  backend.on('GET /site.json', () => json({}, 503));
  const user = show('home');
  expect(await screen.findByText('We couldn’t load the links.')).toBeDefined();
  backend.on('GET /site.json', () => json(SAMPLE_SETTINGS));

  await user.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByRole('link', { name: 'Video channel (opens in a new tab)' })).toBeDefined();
});

test('does not mark the operator’s addresses as samples', async () => {
  const own = 'https://community.test/';
  const links = { ...SAMPLE_SETTINGS.links, channel: own, chat: own, patrons: own, simulatorDownload: own };
  backend.on('GET /site.json', () => json({ ...SAMPLE_SETTINGS, links }));
  show('home');

  expect(await screen.findByRole('list')).toBeDefined();
  expect(screen.queryByText('sample links')).toBeNull();
});

test('shows no links on the about page', async () => {
  show('about');

  await screen.findByText('45.7K');
  expect(screen.queryByRole('link')).toBeNull();
  expect(screen.queryByText('sample links')).toBeNull();
});
