/** Community counters from the services' answers to our own addresses, with every failure in between. */
import { Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import type { RestFault } from '../../sandbox/faults/faults.ts';
import { KNOWN_MS } from '../../server/community/counter-store.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { countersWorldForTests } from './support/market/counters.ts';

const NOT_KNOWN = {
  channel: { title: null, subscriberCount: null, viewCount: null, videos: [] },
  members: { members: null, online: null },
  patrons: { patrons: null },
};

describeOneDatabase('community counters', (kind) => {
  const world = countersWorldForTests(kind);

  test('returns simulated counters soon after a fresh start, with ten videos and no Shorts', async () => {
    const server = (await world()).open();
    await server.untilReported();

    const [channel, members, patrons] = [await server.channel(), await server.members(), await server.patrons()];

    expect([channel.kind, members.kind, patrons.kind]).toEqual(['simulated', 'simulated', 'simulated']);
    expect(channel.title).toBe('Sandbox sample channel');
    expect(channel.subscriberCount).toBeGreaterThan(1000);
    expect(members.members).toBeGreaterThan(members.online ?? 0);
    expect(Math.abs(Date.now() - Date.parse(channel.fetchedAt ?? ''))).toBeLessThan(60_000);
    expect(channel.videos).toHaveLength(10);
    for (const { title, url } of channel.videos) {
      expect(title).not.toMatch(/shorts|candle by candle|a candle closes|questions and answers/i);
      expect(url).toMatch(/^https:\/\/example\.com\/watch\?v=sample-/);
    }
    const times = channel.videos.map(({ publishedAt }) => Date.parse(publishedAt));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const { headers } = await server.app.request('/functions/v1/channel-stats');
    expect(headers.get('cache-control')).toBe('public, max-age=60');
  });

  test('returns null counters with no-store before the first fetch succeeds', async () => {
    const { sandbox, open } = await world();
    for (const dialect of ['youtube', 'discord', 'patreon'])
      sandbox.faults.add({ part: 'rest', dialect, what: 'stall' });
    const server = open();

    const rest = { kind: 'simulated', fetchedAt: null };
    expect(await server.channel()).toEqual({ ...rest, ...NOT_KNOWN.channel });
    expect(await server.members()).toEqual({ ...rest, ...NOT_KNOWN.members });
    expect(await server.patrons()).toEqual({ ...rest, ...NOT_KNOWN.patrons });
    const { headers } = await server.app.request('/functions/v1/patron-stats');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('returns null counters and makes no call when no keys are configured', async () => {
    const { source, open, openLive, query, collectOnce } = await world();
    await collectOnce();
    await query('delete from private.jobs');
    const keys = { youtube: null, discordInvite: null, patreonToken: null };

    const servers = [open({ source: { ...source, keys } }), openLive({ source: { ...source, kind: 'live', keys } })];

    for (const server of servers) {
      expect(await server.channel()).toMatchObject({ fetchedAt: null, ...NOT_KNOWN.channel });
      expect(await server.members()).toMatchObject({ fetchedAt: null, ...NOT_KNOWN.members });
      expect(await server.patrons()).toMatchObject({ fetchedAt: null, ...NOT_KNOWN.patrons });
      expect(server.calls).toEqual([]);
    }
    expect(await query('select name from private.jobs')).toEqual([]);
  });

  test("makes no upstream call for a visitor's request", async () => {
    const server = (await world()).openLive();
    await server.untilReported();
    const calls = server.calls.length;

    for (let i = 0; i < 20; i++) await Promise.all([server.channel(), server.members(), server.patrons()]);

    expect(server.calls.length).toBe(calls);
  });

  test('uses three YouTube units every 15 minutes: 288 a day of 10,000', async () => {
    const { openLive, query } = await world();
    const server = openLive();
    await server.untilReported();

    const due = async () => {
      const text =
        "select split_part(name, ':', 2) as job, extract(epoch from next_due_at - now())::float8 / 60 as minutes from private.jobs where holder is null order by 1";
      return (await query(text)).map(({ job, minutes }) => [job, Math.round(Number(minutes))]);
    };

    await vi.waitFor(async () =>
      expect(await due()).toEqual([
        ['channel-stats', 15],
        ['chat-members', 10],
        ['patron-stats', 60],
      ]),
    );
    expect(await query('select feed, calls from private.feed_calls')).toEqual([{ feed: 'youtube', calls: 3 }]);
    expect(server.calls.map(({ path }) => path.replace(/^\d+|\?.*/g, '')).toSorted()).toEqual([
      '/discord/api/v10/invites/sandbox',
      '/patreon/api/oauth2/v2/campaigns',
      '/youtube/youtube/v3/channels',
      '/youtube/youtube/v3/playlistItems',
      '/youtube/youtube/v3/videos',
    ]);
  });

  const fault = (dialect: string, change: Partial<RestFault>): RestFault => ({
    part: 'rest',
    dialect,
    what: 'html',
    ...change,
  });
  // server/platform/feeds/feed-requests.test.ts defines what counts as a failed call.
  describe.each<[string, Partial<RestFault>]>([
    ['a page instead of JSON', { what: 'html' }],
    ['invalid counts', { what: 'values', value: 'NaN' }],
  ])('a service that returns %s', (_what, broken) => {
    test('serves the last good counters with their age', async () => {
      const { sandbox, open, collectOnce, untilFailed } = await world();
      await collectOnce();
      for (const dialect of ['youtube', 'discord', 'patreon']) sandbox.faults.add(fault(dialect, broken));
      const server = open();

      for (const job of ['channel-stats', 'chat-members', 'patron-stats']) await untilFailed(job);

      const [channel, members, patrons] = [await server.channel(), await server.members(), await server.patrons()];
      expect(channel.viewCount).toBeGreaterThan(0);
      expect(channel.videos).toHaveLength(10);
      expect(members.members).toBeGreaterThan(0);
      expect(patrons.patrons).toBeGreaterThan(0);
      for (const { fetchedAt } of [channel, members, patrons])
        expect(Date.now() - Date.parse(fetchedAt ?? '')).toBeGreaterThan(9 * 60_000);
    });
  });

  test('returns null counters once the last good ones are two days old', async () => {
    const { collectOnce, open, sandbox } = await world();
    await collectOnce();
    for (const dialect of ['youtube', 'discord', 'patreon']) sandbox.faults.add(fault(dialect, { what: 'refusal' }));
    const later = (ms: number) => open({ clock: { nowMs: () => Date.now() + ms } });

    const [before, after] = [later(KNOWN_MS - 15 * 60_000), later(KNOWN_MS)];

    expect((await before.channel()).viewCount).toBeGreaterThan(0);
    expect(await after.channel()).toMatchObject({ ...NOT_KNOWN.channel, fetchedAt: expect.any(String) });
    expect((await after.patrons()).patrons).toBe(null);
  });

  test('updates the counts and keeps the last videos when only the video call fails', async () => {
    const { sandbox, open, collectOnce, untilFailed } = await world();
    await collectOnce();
    sandbox.faults.add(fault('youtube', { what: 'html', path: '/youtube/v3/videos' }));
    const server = open();

    await untilFailed('channel-stats');

    await vi.waitFor(async () => {
      const { fetchedAt, videos } = await server.channel();
      expect(Date.now() - Date.parse(fetchedAt ?? '')).toBeLessThan(60_000);
      expect(videos).toHaveLength(10);
    });
  });

  test("keeps live, simulated and other channels' counters apart", async () => {
    const { sandbox, source, open, openLive, collectOnce } = await world();
    await collectOnce();
    for (const dialect of ['youtube', 'discord', 'patreon']) sandbox.faults.add(fault(dialect, { what: 'refusal' }));
    const keys = { ...source.keys, youtube: { key: 'sandbox', channelId: 'UCother' }, discordInvite: 'other' };

    const [live, other] = [openLive(), open({ source: { ...source, keys } })];

    expect(await live.channel()).toEqual({ kind: 'live', fetchedAt: null, ...NOT_KNOWN.channel });
    expect((await live.patrons()).patrons).toBe(null);
    expect((await other.channel()).viewCount).toBe(null);
    expect((await other.members()).members).toBe(null);
    expect((await other.patrons()).patrons).toBeGreaterThan(0);
  });

  test("calls a service immediately with a new key, despite the old key's backoff", async () => {
    const { source, openLive, untilFailed } = await world();
    const keys = { ...source.keys, patreonToken: 'expired', discordInvite: null, youtube: null };
    const before = openLive({ source: { ...source, kind: 'live', keys } });
    await untilFailed('patron-stats');
    expect((await before.patrons()).patrons).toBe(null);
    await before.close();

    const server = openLive();

    await server.untilReported();
  });

  test('exposes no key in a URL, a log, a response or the database', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const { source, openLive, query, untilFailed } = await world();
    const key = 'AIza-verysecretkey';
    const keys = { youtube: { key, channelId: 'UCx' }, discordInvite: 'x', patreonToken: key };
    const server = openLive({ source: { ...source, kind: 'live', keys }, log: createLogger('debug', destination) });

    for (const job of ['channel-stats', 'chat-members', 'patron-stats']) await untilFailed(job);

    expect(lines.join('')).toContain('status 400');
    expect(lines.join('')).toContain('status 401');
    expect(lines.join('')).toContain('status 404');
    expect(lines.join('')).not.toContain('verysecret');
    expect(server.calls.map(({ path }) => path).join(' ')).not.toContain('verysecret');
    expect(server.calls.some(({ headers }) => headers.get('x-goog-api-key') === key)).toBe(true);
    const stored = await query('select name, last_error from private.jobs');
    expect(JSON.stringify(stored)).not.toContain('verysecret');
    expect(stored.map((row) => row.last_error)).toEqual(Array(3).fill('venue/unavailable'));
    expect((await server.patrons()).patrons).toBe(null);
  });

  test('refuses an unknown parameter with 400 and a POST with 405', async () => {
    const { app } = (await world()).open();

    expect((await app.request('/functions/v1/patron-stats?id=1')).status).toBe(400);
    expect((await app.request('/functions/v1/channel-stats', { method: 'POST' })).status).toBe(405);
  });
});
