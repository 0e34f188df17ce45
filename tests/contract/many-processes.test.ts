/**
 * Two whole server processes as operators run them: one reads the market for both, and either may be restarted or
 * killed.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { openPostgresDatabase } from '../../server/platform/database/postgres/postgres-database.ts';
import { POSTGRES_SKIPPED, testLimits, testPostgresUrl } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { runningTime } from '../support/run/running-time.ts';
import { startKatCluster } from '../support/servers/kat-cluster.ts';
import { NATS_SKIPPED } from '../support/servers/throwaway-nats.ts';
import { readEvents } from '../support/wire/event-reader.ts';
import { candlesOf, STREAM, subscribe } from '../support/worlds/prediction-world.ts';
import { openPage, type TestPage } from './support/market/live-socket.ts';

const skipped = testPostgresUrl() === null ? POSTGRES_SKIPPED : NATS_SKIPPED;
const BTC = '/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450';
const PRODUCT = 'BTC-USD';

describe.skipIf(skipped !== '')(`many processes ${skipped}`, () => {
  const opened = openedForTests(() => startKatCluster(2));

  const pageAt = async (url: string): Promise<TestPage> => {
    const page = await openPage(`${url.replace('http:', 'ws:')}/market/ws`);
    page.request('subscribe', [PRODUCT], ['level2', 'heartbeat']);
    return page;
  };
  const isLive = (page: TestPage) =>
    vi.waitFor(() => expect([page.of('update').length > 2, page.of('heartbeat').length > 0]).toEqual([true, true]), {
      interval: 20,
    });

  async function someone(): Promise<{ token: string; anonKey: string }> {
    const { balancer, databaseUrl } = opened();
    const { supabaseAnonKey } = z
      .object({ supabaseAnonKey: z.string() })
      .parse(await (await fetch(`${balancer.url}/config.json`)).json());
    const answer = await fetch(`${balancer.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: supabaseAnonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'Password1' }),
    });
    const session = z
      .object({ access_token: z.string(), user: z.object({ id: z.string() }) })
      .parse(await answer.json());
    const database = await openPostgresDatabase({ ...testLimits(), url: databaseUrl, poolSize: 1 });
    const nowS = Math.floor(Date.now() / 1000);
    await subscribe(database, session.user.id, 'bobcat', nowS - 86_400, nowS + 86_400);
    await database.close();
    return { token: session.access_token, anonKey: supabaseAnonKey };
  }

  test('shows readers of either process the same order book, candles and forecast', async () => {
    const { urls, leader } = opened();
    await vi.waitFor(() => expect(leader()).not.toBe(null));
    const [first, second] = await Promise.all(urls.map(pageAt));
    if (first === undefined || second === undefined) throw new Error('no pages');
    await Promise.all([isLive(first), isLive(second)]);
    await vi.waitFor(() => {
      const [a, b] = [first, second].map((page) => page.books.get(PRODUCT)?.top('bid', 5));
      expect(a).toEqual(b);
    });
    // Retries when the minute turned in between.
    await vi.waitFor(async () => {
      const fetchAll = (path: string) => Promise.all(urls.map(async (url) => (await fetch(url + path)).text()));
      const [candles, forecasts] = [await fetchAll(BTC), await fetchAll('/forecast/latest?sym=BTCUSDT.P')];
      expect(candles[0]).toBe(candles[1]);
      // The response contains its time of issue.
      expect(forecasts[0]).toContain('issuedAtMs');
      expect(forecasts[0]).toBe(forecasts[1]);
    });
    for (const page of [first, second]) page.socket.terminate();
  });

  test('fails no request, and resumes streams and sockets, while both processes restart in turn', async () => {
    const { urls, balancer, process, start } = opened();
    const { token, anonKey } = await someone();
    const answered = { ok: 0, failed: [] as string[] };
    const leaving = new AbortController();
    const clients = ['/healthz', '/config.json', BTC, BTC].map(async (path) => {
      while (!leaving.signal.aborted) {
        // Uses a new connection each time: an idle one may close just as it is reused, and is then retried.
        const outcome = await fetch(balancer.url + path, { headers: { connection: 'close' } }).then(
          (answer) => answer.text().then(() => answer.status),
          (error: unknown) => `${String(error)} ${error instanceof Error ? String(error.cause) : ''}`,
        );
        if (outcome === 200) answered.ok += 1;
        else answered.failed.push(`${path}: ${outcome}`);
        await wait(150);
      }
    });

    for (const url of urls) {
      await vi.waitFor(() => expect(balancer.ready()).toHaveLength(2));
      const page = await pageAt(url);
      const stream = await openStream(url, token, null);
      const seen = [await stream.next(), await stream.next()].flatMap((event) => event ?? []);
      const stopping = process(url).stop('SIGTERM');
      seen.push(...(await stream.rest()));
      expect(stream.comments.join()).toContain('continue after the last id');
      expect(candlesOf(seen).length).toBeLessThan(50);

      const other = urls.find((one) => one !== url) ?? '';
      const resuming = openStream(other, token, seen.at(-1)?.id ?? '').then((resumed) => resumed.rest());
      expect(await stopping).toBe(0);
      expect(page.closeCode).toBe(1001);
      const back = await pageAt(balancer.url);
      await isLive(back);
      back.socket.terminate();
      await start(url);
      expect(candlesOf([...seen, ...(await resuming)])).toHaveLength(50);
    }
    leaving.abort();
    await Promise.all(clients);

    expect(answered.failed).toEqual([]);
    const authorization = `Bearer ${token}`;
    const atBoth = () =>
      Promise.all(
        urls.map(async (url) => (await fetch(`${url}/forecast/reservations`, { headers: { authorization } })).status),
      );
    expect(await atBoth()).toEqual([200, 200]);
    await fetch(`${urls[0]}/auth/v1/logout`, { method: 'POST', headers: { authorization, apikey: anonKey } });
    // Without a notification, the other process would cache a session for five seconds.
    await vi.waitFor(async () => expect(await atBoth()).toEqual([401, 401]));
    expect(answered.ok).toBeGreaterThan(50);
  });

  test("restores live prices within five seconds of the leader's death", async () => {
    const { urls, leader, kill } = opened();
    await vi.waitFor(() => expect(leader()).not.toBe(null));
    const killed = leader();
    const left = urls.find((url) => url !== killed);
    if (killed === null || left === undefined) throw new Error('no process leads');
    const page = await pageAt(left);
    await isLive(page);
    const took = runningTime();
    await kill(killed);
    await wait(300);
    page.events.length = 0;

    await isLive(page);

    expect(took.ms()).toBeLessThan(5000);
    expect(leader()).toBe(left);
    page.socket.terminate();
  });

  async function openStream(url: string, token: string, lastEventId: string | null) {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    };
    const answer = await fetch(url + STREAM, { headers });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    return readEvents(answer);
  }
});
