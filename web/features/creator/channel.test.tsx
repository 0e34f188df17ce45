import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ChannelStats, Video } from '#domain/community/counters.ts';
import { SAMPLE_SETTINGS } from '#domain/site/sample-settings.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { Channel } from './channel.tsx';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const HOUR_MS = 3_600_000;
const SET = {
  ...SAMPLE_SETTINGS,
  isSample: false,
  samples: { operator: false, links: false, donations: false, testimonials: false },
  operatorName: 'Ada',
  links: {
    ...SAMPLE_SETTINGS.links,
    channel: 'https://video.example/c',
    chat: 'https://chat.example/i',
    patrons: 'https://patrons.example/p',
  },
};
let backend: FakeBackend;

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, shouldAdvanceTime: true });
  backend = fakeBackend();
  channelIs();
  settingsAre(SET);
});

const channelIs = (change: Partial<ChannelStats> = {}) =>
  backend.on('GET /functions/v1/channel-stats', () => json(stats(change)));
const channelFails = () => backend.on('GET /functions/v1/channel-stats', () => json({}, 503));
const settingsAre = (settings: typeof SAMPLE_SETTINGS) => backend.on('GET /site.json', () => json(settings));
const settingsFail = () => backend.on('GET /site.json', () => json({}, 503));

function stats(change: Partial<ChannelStats> = {}): ChannelStats {
  return {
    kind: 'live',
    fetchedAt: new Date(NOON - 5 * 60_000).toISOString(),
    title: 'Kat on video',
    subscriberCount: 41_260,
    viewCount: 2_345_678,
    videos: [aVideo(0)],
    ...change,
  };
}

function aVideo(n: number, change: Partial<Video> = {}): Video {
  return {
    id: `v${n}`,
    title: `Video ${n}`,
    description: `What happens in ${n}`,
    viewCount: 12_300 + n,
    publishedAt: '2026-11-20T23:30:00Z',
    url: `https://video.example/watch?v=${n}`,
    ...change,
  };
}

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Channel />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return {
    profile: within(screen.getByRole('region', { name: 'Channel' })),
    videos: within(screen.getByRole('region', { name: 'Recent videos' })),
  };
}
const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test('shows that it loads, then who it is, the counts, and when the service was queried', async () => {
  const { profile, videos } = show();
  expect(profile.getByText('Loading the channel.')).toBeDefined();
  expect(videos.getByRole('status', { name: 'Loading videos' })).toBeDefined();

  expect(await profile.findByRole('heading', { name: 'Kat on video', level: 3 })).toBeDefined();

  expect([figure('Subscribers'), figure('Views')]).toEqual(['41.3K', '2.3M']);
  expect(profile.getByText('5m ago')).toBeDefined();
  expect(await profile.findByText(/Videos by Ada\./)).toBeDefined();
  expect(screen.queryByText(/sample|simulated|default/i)).toBeNull();
});

test('shows each video with title, description, views, date and a way to watch it elsewhere', async () => {
  const { videos } = show();

  const watch = await videos.findByRole('link', { name: 'Watch Video 0 (opens in a new tab)' });

  expect(watch.getAttribute('href')).toBe('https://video.example/watch?v=0');
  expect([watch.getAttribute('target'), watch.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer']);
  expect(videos.getByRole('heading', { name: 'Video 0', level: 3 })).toBeDefined();
  expect(videos.getByText('What happens in 0')).toBeDefined();
  expect(videos.getByRole('listitem').textContent).toContain('12.3K views · 20 Nov 2026');
});

test('shows ten videos at most', async () => {
  channelIs({ videos: Array.from({ length: 12 }, (_, n) => aVideo(n)) });
  const { videos } = show();

  await videos.findByRole('heading', { name: 'Video 0' });

  expect(videos.getAllByRole('listitem')).toHaveLength(10);
});

test('renders markup as text, and invents no views that are unknown', async () => {
  const title = '<img src=x onerror=alert(1)>';
  channelIs({ title, videos: [aVideo(0, { title, viewCount: null })] });
  const { videos } = show();

  await videos.findByRole('heading', { name: title });

  expect(screen.getAllByRole('heading', { name: title })).toHaveLength(2);
  expect(document.querySelector('img')).toBeNull();
  expect(videos.getByRole('listitem').textContent).toContain('— views');
});

test.each([
  ['fails', () => channelFails(), /We couldn’t load the channel\./],
  [
    'has never been heard of',
    () => channelIs({ fetchedAt: null, title: null, subscriberCount: null, viewCount: null, videos: [] }),
    /hasn’t responded yet\./,
  ],
])(
  'shows the agreed figures for a channel that %s, marked as defaults, until Retry',
  async (_what, prepare, reason) => {
    prepare();
    const { profile, videos } = show();
    expect(await profile.findByText('These are default figures, not live counts.', { exact: false })).toBeDefined();
    expect(profile.getByText(reason)).toBeDefined();
    expect([figure('Subscribers'), figure('Views')]).toEqual(['32.2kdefault, not live', '1.0Mdefault, not live']);
    expect(videos.getByText('We couldn’t load the videos')).toBeDefined();
    expect(await profile.findByRole('heading', { level: 3, name: 'Ada' })).toBeDefined();

    channelIs();
    await userEvent.click(videos.getByRole('button', { name: 'Retry' }));

    expect(await videos.findByRole('heading', { name: 'Video 0' })).toBeDefined();
    expect(figure('Subscribers')).toBe('41.3K');
  },
);

test('does not replace what a channel hides by a default', async () => {
  channelIs({ subscriberCount: null });
  const { profile } = show();
  await profile.findByText('Kat on video');

  expect([figure('Subscribers'), figure('Views')]).toEqual(['—hidden by the channel', '2.3M']);
});

test('says so for a channel without videos', async () => {
  channelIs({ videos: [] });

  expect(await show().videos.findByText('No recent videos')).toBeDefined();
});

test('greys old counts and shows their age', async () => {
  channelIs({ fetchedAt: new Date(NOON - 4 * HOUR_MS).toISOString() });
  const { profile, videos } = show();
  await profile.findByText('Kat on video');

  expect(profile.getByText('4h ago')).toBeDefined();
  expect(profile.getByText(/The video service hasn’t responded\./)).toBeDefined();
  expect(videos.getByRole('heading', { name: 'Video 0' }).closest('.old-figures')).not.toBeNull();
});

test('keeps figures when newer ones do not arrive', async () => {
  const { profile } = show();
  await profile.findByText('Kat on video');

  channelFails();
  await act(() => vi.advanceTimersByTimeAsync(300_000));

  expect(await profile.findByText(/^Shown as of/)).toBeDefined();
  expect(profile.getByText(/We couldn’t load the channel\./)).toBeDefined();
  expect(figure('Subscribers')).toBe('41.3K');
});

test('marks a simulated channel and sample links', async () => {
  channelIs({ kind: 'simulated' });
  settingsAre(SAMPLE_SETTINGS);
  const { profile, videos } = show();
  await profile.findByText('Kat on video');
  const chat = await profile.findByRole('link', { name: 'Chat community sample (opens in a new tab)' });

  expect(chat).toBeDefined();
  expect(profile.getByText('simulated')).toBeDefined();
  expect(videos.getByText('simulated')).toBeDefined();
  expect(profile.getAllByText('sample')).toHaveLength(4);
  expect(profile.getByText(/Simulated counts\./)).toBeDefined();
  expect(profile.getByText(/The site operator can show their own channel here\./)).toBeDefined();
});

test('shows a sample channel when no operator is named', async () => {
  channelFails();
  settingsAre(SAMPLE_SETTINGS);

  expect(await show().profile.findByRole('heading', { name: 'Sample channel' })).toBeDefined();
});

test('claims nothing with neither channel nor settings, and one Retry loads both', async () => {
  channelFails();
  settingsFail();
  const { profile, videos } = show();

  expect(await profile.findByRole('heading', { name: 'Name unavailable' })).toBeDefined();
  expect(await profile.findByText('We couldn’t load the links.')).toBeDefined();
  expect(screen.queryByText('sample')).toBeNull();
  expect(screen.queryByText(/still lead/)).toBeNull();
  expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1);
  expect(backend.to('/site.json')).toHaveLength(1);

  channelIs();
  await userEvent.click(videos.getByRole('button', { name: 'Retry' }));

  expect(backend.to('/site.json')).toHaveLength(2);
  expect(await profile.findByText('Kat on video')).toBeDefined();
});

test('links channel, chat and patrons', async () => {
  const { channel, chat, patrons } = SET.links;

  const links = await show().profile.findAllByRole('link');

  expect(links.map((link) => link.getAttribute('href'))).toEqual([channel, chat, patrons]);
  for (const link of links) expect(link.getAttribute('rel')).toBe('noopener noreferrer');
});

test('reports links that do not load, and loads them again', async () => {
  settingsFail();
  const { profile } = show();
  await profile.findByText('Kat on video');
  expect(await profile.findByText('We couldn’t load the links.')).toBeDefined();

  settingsAre(SET);
  await userEvent.click(profile.getByRole('button', { name: 'Retry' }));

  expect(await profile.findAllByRole('link')).toHaveLength(3);
  expect(backend.to('/site.json')).toHaveLength(2);
});
