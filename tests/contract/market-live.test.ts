/** Live mode with a sandbox at every address: settings, connectors, failover, store and response headers together. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { candleColumnsSchema } from '../../domain/market/candle.ts';
import { type SandboxMarket, startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { type CandleStore, openCandleStore } from '../../server/market/candles/candle-store.ts';
import { marketRoutes } from '../../server/market/candles/history-routes.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { errorResponse } from '../../server/platform/http/calls/http-errors.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { type MovableClock, movableClock } from '../support/market/market-stack.ts';
import { liveAt } from '../support/servers/live-settings.ts';

const BTC = '/history?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450';
const MSFT = '/history?exc=NASDAQ&sym=MSFT&fbars=50&lkbk=450';
const MINUTE_MS = 60_000;

let database: Database;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await openTestDatabase(dayDatabase);
});
afterAll(() => database?.close());
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  await database.query(OWNER, 'delete from private.market_candles');
});

async function sandboxAt(clock: MovableClock, port?: number, seed = 'live'): Promise<SandboxMarket> {
  const options = { clock, dataDir: null, speed: 1, seed, startMs: null };
  const sandbox = await startSandboxMarket(port === undefined ? options : { ...options, port });
  undo.push(() => sandbox.close());
  return sandbox;
}

/** A port on which nothing listens until the test starts a server there. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Live {
  app: Hono;
  store: CandleStore;
  close(): Promise<void>;
}

function openLive(env: Readonly<Record<string, string>>, clock: MovableClock): Live {
  const settings = readConfig(env).market;
  const { addresses, keys } = settings;
  const store = openCandleStore({ database, clock, log: testLog });
  const history = openMarketCandles({
    source: { kind: 'live', kindOf: () => 'live', addresses, keys },
    settings,
    clock,
    log: testLog,
    store,
    socketTiming: { retryMs: () => 20 },
    // A busy machine must not count as a slow venue.
    timing: { patienceMs: 30_000, retryMs: 100, maxRetryMs: 200 },
  });
  const app = marketRoutes({ history });
  app.onError((error) => errorResponse(error));
  let isOpen = true;
  const live = {
    app,
    store,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await history.close();
      await store.close();
    },
  };
  undo.push(() => live.close());
  return live;
}

async function fetchHistory(app: Hono, path = BTC) {
  const response = await app.request(path);
  const marketHeader = (name: string): string | null => response.headers.get(`x-market-${name}`);
  const columns = response.ok ? candleColumnsSchema.parse(await response.clone().json()) : null;
  return { status: response.status, marketHeader, columns, body: await response.json() };
}

const lastClosedS = (clock: MovableClock): number => Math.floor(clock.ms / MINUTE_MS) * 60 - 60;

test('names the venue, attribution, delay and age in a live answer', async () => {
  const clock = movableClock();
  const { app } = openLive(liveAt(await sandboxAt(clock)), clock);

  const { status, marketHeader, columns } = await fetchHistory(app);

  expect(status).toBe(200);
  expect(columns?.time).toHaveLength(450);
  expect([marketHeader('kind'), marketHeader('venue'), marketHeader('attribution')]).toEqual([
    'live',
    'binance',
    'Binance USD-M futures',
  ]);
  expect([marketHeader('delay-s'), marketHeader('as-of'), marketHeader('stale'), marketHeader('open')]).toEqual([
    ...['0', String(lastClosedS(clock)), 'false', 'true'],
  ]);
});

test('serves stored candles as stale after a restart without venues, then switches to the first back', async () => {
  const clock = movableClock();
  const port = await freePort();
  const first = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'live', startMs: null, port });
  const env = liveAt(first);
  const before = openLive(env, clock);
  const fresh = await fetchHistory(before.app);
  await before.close();
  await first.close();
  clock.ms += 10 * MINUTE_MS;

  const { app } = openLive(env, clock);
  const { status, marketHeader, columns } = await fetchHistory(app);

  expect([status, marketHeader('venue'), marketHeader('stale')]).toEqual([200, 'binance', 'true']);
  expect(marketHeader('as-of')).toBe(fresh.marketHeader('as-of'));
  expect(columns).toEqual(fresh.columns);

  await sandboxAt(clock, port);
  await vi.waitFor(async () => expect((await fetchHistory(app)).marketHeader('stale')).toBe('false'), {
    interval: 100,
  });
  const back = await fetchHistory(app);
  expect(back.columns?.time.at(-1)).toBe(lastClosedS(clock));
  expect(back.columns?.time[0]).toBe(Number(fresh.columns?.time[0]) + 600);
});

test('returns 503 with a plain message when no venue answers and nothing is stored', async () => {
  const clock = movableClock();
  const closed = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'live', startMs: null });
  await closed.close();
  const { app } = openLive(liveAt(closed), clock);

  const { status, body } = await fetchHistory(app);

  expect(status).toBe(503);
  expect(body).toMatchObject({ code: 'venue/unavailable', error: 'Market data is not available right now.' });
});

test("refuses a share without keys or the owner's consent, and names the missing setting", async () => {
  const clock = movableClock();
  const { app } = openLive(liveAt(await sandboxAt(clock)), clock);

  const { status, body } = await fetchHistory(app, MSFT);

  expect(status).toBe(503);
  expect(body).toMatchObject({
    code: 'venue/not-connected',
    details: { message: expect.stringContaining('ALPACA_KEY') },
  });
});
