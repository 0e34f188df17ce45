/** Sandbox feed, database and ff-proxy together, over real HTTP: called by the client library and by hand. */
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import { eventsAnswerSchema, sessionsAnswerSchema } from '#domain/market/calendar/calendar-messages.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { releaseStore } from '../../server/market/calendar/release-store.ts';
import { openCalendar } from '../../server/market/market.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { listen } from '../../server/platform/http/listen.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { movableClock } from '../support/market/market-stack.ts';

const DAY_MS = 86_400_000;

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

describeOneDatabase('the calendar', (kind) => {
  /** A database, a sandbox feed, and as many server processes as are opened on them. */
  async function openWorld() {
    const clock = movableClock('2026-11-25T17:00:00Z');
    const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'kat', startMs: null });
    undo.push(() => sandbox.close());
    const database = await openTestDatabase(kind);
    undo.push(() => database.close());
    let downloads = 0;

    async function openServer(calendarUrl = sandbox.addresses.calendarUrl) {
      const calendar = openCalendar({
        source: { kind: 'simulated', addresses: { calendarUrl } },
        releasesFile: null,
        database,
        clock,
        log: testLog,
        fetch: (input, init) => {
          downloads += 1;
          return fetch(input, init);
        },
      });
      const app = new Hono().route('/', calendar.routes);
      app.onError((error) => errorResponse(error));
      const server = await listen(app.fetch, { host: '127.0.0.1', port: 0 }, testLog);
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      let isOpen = true;
      const close = async () => {
        if (!isOpen) return;
        isOpen = false;
        server.closeAllConnections();
        await Promise.all([calendar.close(), new Promise((done) => server.close(done))]);
      };
      undo.push(close);
      const events = async () => {
        const response = await fetch(`${origin}/functions/v1/ff-proxy?type=news`);
        return { headers: response.headers, ...eventsAnswerSchema.parse(await response.json()) };
      };
      const untilFed = () => vi.waitFor(async () => expect((await events()).error).toBeNull());
      return { origin, events, untilFed, close };
    }

    return {
      clock,
      faults: sandbox.faults,
      database,
      openServer,
      downloads: () => downloads,
      async makeDue() {
        await database.query(OWNER, `update private.jobs set next_due_at = now()`);
      },
      async job() {
        const [row] = await database.query<{ last_error: string | null; due_in_s: number }>(
          OWNER,
          `select last_error, extract(epoch from next_due_at - now())::float8 as due_in_s from private.jobs`,
        );
        return row;
      },
    };
  }

  test('answers the client library and a plain call alike, with no one signed in', async () => {
    const { openServer } = await openWorld();
    const { origin, untilFed, events } = await openServer();
    await untilFed();
    const client = createClient(origin, 'anon-key');

    const sessions = await client.functions.invoke('ff-proxy?path=/market', { method: 'GET' });
    const news = await client.functions.invoke('ff-proxy?type=news', { method: 'GET' });

    expect([sessions.error, news.error]).toEqual([null, null]);
    expect(sessionsAnswerSchema.parse(sessions.data).data.map((s) => `${s.session} ${s.status}`)).toEqual([
      ...['Sydney Closed', 'Tokyo Closed', 'London Closed', 'New York Open'],
    ]);
    const plain = await events();
    expect(eventsAnswerSchema.parse(news.data).data).toEqual(plain.data);
    expect(plain.data).toContainEqual({
      isHoliday: true,
      title: 'Thanksgiving Day',
      country: 'USD',
      date: '2026-11-26',
    });
    expect(plain.data.some((event) => JSON.stringify(event).includes('"impact":"High"'))).toBe(true);
    expect(plain.headers.get('x-market-attribution')).toBe('Sandbox market');
    expect((await client.functions.invoke('ff-proxy', { method: 'GET' })).error).not.toBeNull();
  });

  test('serves every process from one download, and needs none after a restart', async () => {
    const { openServer, downloads } = await openWorld();
    const first = await openServer();
    await first.untilFed();
    const second = await openServer();
    await second.untilFed();
    await first.close();
    const restarted = await openServer();
    await restarted.untilFed();

    expect((await restarted.events()).data).toEqual((await second.events()).data);
    expect(downloads()).toBe(1);
  });

  test('changes nothing on a page in place of the file, and leaves the feed alone for a quarter of an hour', async () => {
    const { openServer, faults, makeDue, job, downloads } = await openWorld();
    const first = await openServer();
    await first.untilFed();
    const before = (await first.events()).data;
    await first.close();

    faults.add({ part: 'rest', dialect: 'calendar', what: 'html' });
    await makeDue();
    const restarted = await openServer();

    await vi.waitFor(async () => expect((await job())?.last_error).toBe('venue/unavailable'));
    expect(await restarted.events()).toMatchObject({ ok: true, error: null, data: before });
    expect((await job())?.due_in_s).toBeGreaterThan(880);
    expect(downloads()).toBe(2);
  });

  test('keeps the old data when refused for too many downloads', async () => {
    const { openServer, makeDue, job } = await openWorld();
    for (let i = 0; i < 2; i += 1) {
      await makeDue();
      const server = await openServer();
      await server.untilFed();
      await vi.waitFor(async () => expect((await job())?.due_in_s).toBeGreaterThan(3000));
      await server.close();
    }

    await makeDue();
    const third = await openServer();

    await vi.waitFor(async () => expect((await job())?.last_error).toBe('venue/unavailable'));
    expect((await third.events()).error).toBeNull();
  });

  test('knows the shipped schedule of releases also while a live feed never answers', async () => {
    const { database, clock } = await openWorld();
    const calendar = openCalendar({
      source: { kind: 'live', addresses: { calendarUrl: 'http://127.0.0.1:1/none' } },
      releasesFile: null,
      database,
      clock,
      log: testLog,
    });
    undo.push(() => calendar.close());

    const known = releaseStore(database, 'live');
    await vi.waitFor(async () => expect((await known.knownAt(clock.nowMs())).length).toBeGreaterThan(50));

    expect(new Set((await known.knownAt(clock.nowMs())).map(({ source }) => source))).toEqual(new Set(['schedule']));
    const fedS = Date.parse('2026-12-09T19:00:00Z') / 1000;
    expect(await calendar.releases.between(fedS - 60, fedS + 60, new AbortController().signal)).toMatchObject({
      releases: [{ timeS: fedS, kind: 'fed-statement' }],
      isComplete: false,
    });
  });

  test('does not take last week’s file for this week’s', async () => {
    const { openServer, clock } = await openWorld();
    const { untilFed, events } = await openServer();
    await untilFed();

    clock.ms += 7 * DAY_MS;

    const { error, data } = await events();
    expect(error).toMatch(/announcements are missing/);
    expect(JSON.stringify(data)).toContain('Christmas Day');
  });
});
