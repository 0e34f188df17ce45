import { afterEach, expect, test } from 'vitest';
import { type CommunitySandbox, type CommunitySandboxOptions, startCommunitySandbox } from './community-sandbox.ts';
import { YOUTUBE_CHANNEL } from './youtube.ts';

const NOON_MS = Date.parse('2026-11-20T12:00:00Z');
const opened: CommunitySandbox[] = [];
afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close();
});

async function start(options: Partial<CommunitySandboxOptions> = {}) {
  const clock = { nowMs: () => NOON_MS };
  const sandbox = await startCommunitySandbox({ clock, hasFaultControl: false, ...options });
  opened.push(sandbox);
  return sandbox;
}
async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const body: unknown = text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
}
const KEY = { 'x-goog-api-key': 'sandbox' };
const CHANNEL = `/youtube/v3/channels?part=snippet,statistics,contentDetails&id=${YOUTUBE_CHANNEL}`;
const INVITE = '/api/v10/invites/sandbox?with_counts=true';
const CAMPAIGNS = '/api/oauth2/v2/campaigns?fields%5Bcampaign%5D=patron_count';
const BEARER = { authorization: 'Bearer sandbox' };

test('leads from the channel to its uploads, and from them to their lengths', async () => {
  const { youtubeUrl } = await start();

  const { body: channel } = await get(youtubeUrl + CHANNEL, KEY);
  const list = await get(
    `${youtubeUrl}/youtube/v3/playlistItems?part=contentDetails&playlistId=UUsandboxsandboxsandbox0&maxResults=25`,
    KEY,
  );

  expect(channel).toMatchObject({
    items: [
      {
        statistics: { subscriberCount: expect.stringMatching(/^\d+$/), viewCount: expect.stringMatching(/^\d+$/) },
        contentDetails: { relatedPlaylists: { uploads: 'UUsandboxsandboxsandbox0' } },
      },
    ],
  });
  const ids = JSON.stringify(list.body).match(/sample-\d{4}(?=","videoPublished)/g) ?? [];
  expect(ids).toHaveLength(25);
  const { body: videos } = await get(
    `${youtubeUrl}/youtube/v3/videos?part=snippet,contentDetails,statistics&id=${ids.join(',')}`,
    KEY,
  );
  const text = JSON.stringify(videos);
  expect(text.match(/"duration":"P/g)).toHaveLength(25);
  expect(text).toContain('"duration":"P0D"');
  expect(text).toContain('"duration":"PT58S"');
});

test.each([
  ['without a key', {}, 403, 'forbidden'],
  ['with a wrong one', { 'x-goog-api-key': 'x' }, 400, 'badRequest'],
])('refuses a caller of the channel %s', async (_how, headers, status, reason) => {
  const { youtubeUrl } = await start();

  expect(await get(youtubeUrl + CHANNEL, headers)).toMatchObject({
    status,
    body: { error: { code: status, errors: [{ reason }] } },
  });
});

test('lists no items for an unknown channel, and answers 404 for an unknown playlist', async () => {
  const { youtubeUrl } = await start();

  const channel = await get(`${youtubeUrl}/youtube/v3/channels?part=snippet&id=UCother`, KEY);
  const playlist = await get(`${youtubeUrl}/youtube/v3/playlistItems?part=contentDetails&playlistId=UUother`, KEY);

  expect(channel.status).toBe(200);
  expect(channel.body).not.toHaveProperty('items');
  expect(playlist).toMatchObject({ status: 404, body: { error: { errors: [{ reason: 'playlistNotFound' }] } } });
});

test('allows so many units a day, and resets them at midnight in California', async () => {
  const time = { ms: NOON_MS };
  const { youtubeUrl } = await start({ clock: { nowMs: () => time.ms }, youtubeUnitsPerDay: 2 });
  const statusOf = async () => (await get(youtubeUrl + CHANNEL, KEY)).status;

  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 403]);
  time.ms = Date.parse('2026-11-21T07:59:59Z');
  expect(await statusOf()).toBe(403);
  time.ms = Date.parse('2026-11-21T08:00:00Z');
  expect(await statusOf()).toBe(200);
});

test('shows an invitation’s counts on request, answers 10006 to an unknown one, and allows few calls at a time', async () => {
  const { discordUrl } = await start();

  const reply = await get(discordUrl + INVITE);
  const bare = await get(`${discordUrl}/api/v10/invites/sandbox`);
  const unknown = await get(`${discordUrl}/api/v10/invites/gone?with_counts=true`);
  for (let i = 0; i < 7; i++) await get(discordUrl + INVITE);
  const limited = await get(discordUrl + INVITE);

  expect(reply.body).toMatchObject({
    code: 'sandbox',
    approximate_member_count: expect.any(Number),
    approximate_presence_count: expect.any(Number),
  });
  expect(bare.body).not.toHaveProperty('approximate_member_count');
  expect(unknown).toMatchObject({ status: 404, body: { message: 'Unknown Invite', code: 10006 } });
  expect(limited).toMatchObject({ status: 429, body: { retry_after: expect.any(Number), global: false } });
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('shows patrons to a token only, and only with encoded brackets', async () => {
  const { patreonUrl } = await start();

  const reply = await get(patreonUrl + CAMPAIGNS, BEARER);
  // fetch would leave them as they are.
  const bare = await get(`${patreonUrl}/api/oauth2/v2/campaigns?fields[campaign]=patron_count`, BEARER);
  const stranger = await get(patreonUrl + CAMPAIGNS);

  expect(reply).toMatchObject({ status: 200, body: { data: [{ attributes: { patron_count: expect.any(Number) } }] } });
  expect(bare.status).toBe(400);
  expect(stranger).toMatchObject({ status: 401, body: { errors: [{ code_name: 'Unauthorized' }] } });
});

test('counts are the same at the same time, and grow with it', async () => {
  const time = { ms: NOON_MS };
  const options = { clock: { nowMs: () => time.ms } };
  const [one, other] = [await start(options), await start(options)];
  const views = async ({ youtubeUrl }: CommunitySandbox) => {
    const text = JSON.stringify((await get(youtubeUrl + CHANNEL, KEY)).body);
    return Number(/"viewCount":"(\d+)"/.exec(text)?.[1]);
  };

  const before = await views(one);
  expect(await views(other)).toBe(before);
  time.ms += 86_400_000;
  expect(await views(one)).toBeGreaterThan(before);
});

test('serves a feed for each publisher, and 404 elsewhere', async () => {
  const { newsFeeds, youtubeUrl } = await start();

  expect(newsFeeds.length).toBeGreaterThan(0);
  for (const { url } of newsFeeds) expect((await get(url)).status).toBe(200);
  const base = new URL(youtubeUrl).origin;
  expect((await get(`${base}/nobody/x`)).status).toBe(404);
  expect((await get(`${base}/control/faults`)).status).toBe(404);
  expect((await fetch(youtubeUrl, { method: 'POST' })).status).toBe(405);
});

test('reports a fault in its service’s format', async () => {
  const sandbox = await start();

  sandbox.faults.add({ part: 'rest', dialect: 'discord', what: 'status', status: 429, retryAfterS: 7, count: 1 });
  const limited = await get(sandbox.discordUrl + INVITE);

  expect(limited).toMatchObject({ status: 429, body: { retry_after: 7 } });
  expect(limited.headers.get('retry-after')).toBe('7');
  expect((await get(sandbox.discordUrl + INVITE)).status).toBe(200);
});

test('injects a fault into a feed that the reader already has', async () => {
  const { newsFeeds, faults } = await start();
  const url = newsFeeds[0]?.url ?? '';
  const etag = (await get(url)).headers.get('etag') ?? '';
  expect((await get(url, { 'if-none-match': etag })).status).toBe(304);

  faults.add({ part: 'rest', dialect: 'news', what: 'hostile', count: 1 });

  const corrupt = await get(url, { 'if-none-match': etag });
  expect([corrupt.status, corrupt.body]).toEqual([200, expect.stringContaining('<rss')]);
});
