import { expect, test } from 'vitest';
import { channelStatsSchema } from '#domain/community/counters.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Youtube, youtube } from './youtube.ts';

const never = new AbortController().signal;

/** A channel whose service answers with these bodies, by the last part of the path. */
function setUp(
  bodies: Readonly<Record<string, unknown>>,
  watchUrl = 'https://watch.test/?v=',
): { channel: Youtube; requests: URL[] } {
  const requests: URL[] = [];
  const channel = youtube({
    restUrl: 'https://video.test',
    key: 'k',
    channelId: 'UCa',
    watchUrl,
    log: createLogger('silent'),
    spend: undefined,
    fetch: async (input) => {
      const url = new URL(String(input));
      requests.push(url);
      return Response.json(bodies[url.pathname.split('/').at(-1) ?? ''] ?? {});
    },
  });
  return { channel, requests };
}

const aChannel = (statistics: Record<string, unknown> = {}, uploads: unknown = 'UUa') => ({
  items: [
    {
      snippet: { title: 'A channel' },
      statistics: { viewCount: '1200', subscriberCount: '321000', hiddenSubscriberCount: false, ...statistics },
      contentDetails: { relatedPlaylists: { uploads } },
    },
  ],
});
const aVideo = (number: number, change: Record<string, unknown> = {}, duration = 'PT5M') => ({
  id: `video-${number}`,
  snippet: {
    title: `Lesson ${number}`,
    description: 'What it says',
    publishedAt: new Date(Date.UTC(2026, 0, number)).toISOString(),
    liveBroadcastContent: 'none',
    ...change,
  },
  statistics: { viewCount: String(number) },
  contentDetails: { duration },
});
const listOf = (...videos: ({ id: string } & Record<string, unknown>)[]) => ({
  playlistItems: { items: videos.map(({ id }) => ({ contentDetails: { videoId: id } })) },
  videos: { items: videos },
});

test('returns counts as numbers, and hidden subscribers as null', async () => {
  const { channel } = setUp({ channels: aChannel() });
  const hidden = setUp({ channels: aChannel({ subscriberCount: '0', hiddenSubscriberCount: true }) });

  expect(await channel.channel(never)).toEqual({
    counts: { title: 'A channel', subscriberCount: 321_000, viewCount: 1200 },
    uploads: 'UUa',
  });
  expect((await hidden.channel.channel(never)).counts).toMatchObject({ subscriberCount: null, viewCount: 1200 });
});

test.each([
  ['no items, as of an unknown channel', { items: undefined }],
  ['an empty list', { items: [] }],
  ['a negative count', aChannel({ viewCount: '-1' })],
  ['a count that is no number', aChannel({ viewCount: 'NaN' })],
  ['a count beyond all counts', aChannel({ viewCount: '1e400' })],
  ['no view count', aChannel({ viewCount: undefined })],
])('refuses an answer with %s', async (_what, channels) => {
  const { channel } = setUp({ channels });

  await expect(channel.channel(never)).rejects.toMatchObject({ code: 'venue/unavailable' });
});

test('requests no uploads of a channel without any', async () => {
  expect((await setUp({ channels: aChannel({ videoCount: '0' }) }).channel.channel(never)).uploads).toBe(null);
  expect((await setUp({ channels: aChannel({}, '') }).channel.channel(never)).uploads).toBe(null);
  const empty = setUp(listOf());
  expect(await empty.channel.videos('UUa', never)).toEqual([]);
  expect(empty.requests).toHaveLength(1);
});

test('returns the newest ten of twenty-five in order, without short and upcoming ones', async () => {
  const videos = Array.from({ length: 25 }, (_, i) => aVideo(i + 1));
  videos[24] = aVideo(25, {}, 'PT59S');
  videos[23] = aVideo(24, { title: 'Lesson #Shorts' });
  videos[22] = aVideo(23, { liveBroadcastContent: 'upcoming' }, 'P0D');
  videos[21] = aVideo(22, { liveBroadcastContent: 'live' }, 'P0D');
  const { channel, requests } = setUp(listOf(...videos));

  const shown = await channel.videos('UUa', never);

  expect(shown.map(({ id }) => id)).toEqual([22, 21, 20, 19, 18, 17, 16, 15, 14, 13].map((n) => `video-${n}`));
  expect(requests[0]?.searchParams.get('maxResults')).toBe('25');
  expect(requests.map(({ pathname }) => pathname)).toEqual(['/youtube/v3/playlistItems', '/youtube/v3/videos']);
});

test('omits a malformed video, and returns null for a missing count', async () => {
  const bare = { ...aVideo(2), statistics: {}, snippet: { ...aVideo(2).snippet, description: 7, title: ' ' } };
  const { channel } = setUp(
    listOf(
      aVideo(1, { publishedAt: 'yesterday' }),
      bare,
      { ...aVideo(3), contentDetails: {} },
      aVideo(4, { title: null }),
    ),
  );

  expect(await channel.videos('UUa', never)).toEqual([
    {
      id: 'video-2',
      title: 'Without a title',
      description: '',
      viewCount: null,
      publishedAt: '2026-01-02T00:00:00.000Z',
      url: 'https://watch.test/?v=video-2',
    },
  ]);
});

test.each([
  ['an id that would be more than one', { contentDetails: { videoId: 'a&id=b' } }],
  ['two ids in one', { contentDetails: { videoId: 'a,b' } }],
  ['no id', { contentDetails: {} }],
  ['a number for an id', { contentDetails: { videoId: 7 } }],
  ['nothing', null],
])('skips an upload with %s and requests the others', async (_what, bad) => {
  const { items } = listOf(aVideo(1), aVideo(2)).playlistItems;
  const { channel, requests } = setUp({
    playlistItems: { items: [bad, ...items] },
    videos: { items: [aVideo(1), aVideo(2)] },
  });

  const shown = await channel.videos('UUa', never);

  expect(shown.map(({ id }) => id)).toEqual(['video-2', 'video-1']);
  expect(requests[1]?.searchParams.get('id')).toBe('video-1,video-2');
});

test.each([
  ['null', null],
  ['text', 'video-9'],
  ['one without words', { ...aVideo(9), snippet: undefined }],
  ['one of an invalid id', { ...aVideo(9), id: '"><script>' }],
  ['one of the 31st of February', aVideo(9, { publishedAt: '2026-02-31T00:00:00Z' })],
  ['one of a time without a zone', aVideo(9, { publishedAt: '2026-01-09T00:00:00' })],
])('omits only a bad video (%s) from a valid answer', async (_what, bad) => {
  const { channel } = setUp({ ...listOf(aVideo(1), aVideo(2)), videos: { items: [aVideo(1), bad, aVideo(2)] } });

  const videos = await channel.videos('UUa', never);

  expect(videos.map(({ id }) => id)).toEqual(['video-2', 'video-1']);
  const answer = { kind: 'live', fetchedAt: null, title: null, subscriberCount: 1, viewCount: 2, videos };
  expect(channelStatsSchema.safeParse(answer).success).toBe(true);
});

test('omits a video whose address would not be https', async () => {
  const { channel } = setUp(listOf(aVideo(1)), 'javascript:alert(1)//');

  expect(await channel.videos('UUa', never)).toEqual([]);
});
