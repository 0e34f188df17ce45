/** Reference figures from the services' answers to our own addresses, with every failure in between. */
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { fearGreedSchema } from '#domain/market/reference/fear-greed.ts';
import { coinsSchema, globalMetricsSchema } from '#domain/market/reference/global-metrics.ts';
import type { CoinLines } from '../../server/market/reference/feeds/price-snapshot-store.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import {
  COINS,
  jsonOf,
  type MetricsServer,
  metricsWorldForTests,
  PATHS,
  untilAnswered,
} from './support/market/metrics.ts';

describeOneDatabase('reference figures', (kind) => {
  const world = metricsWorldForTests(kind);

  const fetchedAt = async (server: MetricsServer, path: string) =>
    (await server.app.request(path)).headers.get('x-fetched-at');

  test("returns figures soon after a fresh start, in their services' shapes", async () => {
    const server = world().open();
    await untilAnswered(server);

    expect(
      globalMetricsSchema.parse(await jsonOf(server, '/api/v3/global')).data.market_cap_percentage.btc,
    ).toBeGreaterThan(30);
    const coins = coinsSchema.parse(await jsonOf(server, COINS));
    expect(coins).toHaveLength(50);
    expect(coins[0]).toMatchObject({ id: 'bitcoin', symbol: 'btc', name: 'Bitcoin' });
    expect(fearGreedSchema.parse(await jsonOf(server, '/fng?limit=1')).data).toHaveLength(1);
    const { headers } = await server.app.request(COINS);
    expect(headers.get('cache-control')).toBe('public, max-age=30');
    expect(headers.get('x-market-kind')).toBe('simulated');
    expect(headers.get('x-market-stale')).toBe('false');
    expect(headers.get('x-market-attribution')).toBe('Sandbox market');
    expect(Math.abs(Date.now() - Date.parse(headers.get('x-fetched-at') ?? ''))).toBeLessThan(60_000);
    const [rows] = await world().query('select count(*)::int as rows, max(price) as top from public.price_snapshots');
    expect(rows?.rows).toBeGreaterThan(240);
    expect(rows?.top).toBe(coins[0]?.current_price);
  });

  test('returns the line of each large coin from the stored history, and refuses parameters', async () => {
    const server = world().open();
    await untilAnswered(server);

    const answer = await server.app.request('/api/v3/coins/sparklines');
    const wrong = await server.app.request('/api/v3/coins/sparklines?days=7');

    const [bitcoin] = coinsSchema.parse(await jsonOf(server, COINS));
    const { sinceMs, prices } = (await answer.json()) as CoinLines;
    expect(prices.BTC?.at(-1)).toBe(bitcoin?.current_price);
    expect(Object.keys(prices).length).toBeGreaterThan(20);
    expect(Math.abs(Date.now() - (sinceMs ?? 0))).toBeLessThan(60_000);
    expect(answer.headers.get('x-market-kind')).toBe('simulated');
    expect(wrong.status).toBe(400);
  });

  test('returns 503 as JSON before the first figures, and 400 for an unknown parameter', async () => {
    world().sandbox.faults.add({ part: 'rest', dialect: 'coingecko', what: 'refusal' });
    const server = world().open();

    const early = await server.app.request(COINS);
    const wrong = await server.app.request(`${COINS}&ids=bitcoin`);

    expect([early.status, await early.json()]).toMatchObject([503, { code: 'venue/unavailable' }]);
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      { details: { parameter: 'ids', problem: 'unknown' } },
    ]);
  });

  test("makes no upstream call for a visitor's request", async () => {
    const server = world().openLive();
    await untilAnswered(server);
    const calls = server.calls.length;

    for (let i = 0; i < 20; i++) for (const path of PATHS) await server.app.request(path);

    expect(server.calls.length).toBe(calls);
  });

  // server/platform/feeds/feed-requests.test.ts defines what counts as a failed call.
  test('serves the last good answer with its age after a page instead of JSON', async () => {
    await world().collectOnce();
    world().sandbox.faults.add({ part: 'rest', dialect: 'coingecko', what: 'html' });
    const server = world().open();
    const before = await fetchedAt(server, COINS);
    expect(before).not.toBe(null);

    await world().untilFailed('market-figures');

    const answer = await server.app.request(COINS);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-fetched-at')).toBe(before);
    const hoursLater = world().open({ clock: { nowMs: () => Date.now() + 2 * 3_600_000 } });
    expect((await hoursLater.app.request(COINS)).headers.get('x-market-stale')).toBe('true');
    expect(coinsSchema.parse(await answer.json())).toHaveLength(50);
  });

  test('passes null figures on, and stores no snapshot for a coin without a price', async () => {
    const server = world().open();
    await untilAnswered(server);

    const coins = coinsSchema.parse(await jsonOf(server, COINS.replace('per_page=50', 'per_page=250')));

    const without = coins.filter((coin) => coin.current_price === null).map((coin) => coin.symbol.toUpperCase());
    expect(without.length).toBeGreaterThan(0);
    expect(coins.some((coin) => coin.price_change_percentage_24h === null)).toBe(true);
    const rows = await world().query('select symbol from public.price_snapshots');
    expect(rows.filter((row) => without.includes(String(row.symbol)))).toEqual([]);
    const nulls = await world().query('select symbol from public.price_snapshots where pct_24h is null');
    expect(nulls.length).toBeGreaterThan(0);
  });

  test('shows the live price and its attribution for the largest coins between two answers', async () => {
    const traded = (price: number, attribution: string) => new Map([['btc', { price, attribution }]]);
    const server = world().openLive({ livePrices: async () => traded(100_123, 'Binance USD-M futures') });
    await untilAnswered(server);

    const answer = await server.app.request(COINS);

    const [btc, eth] = coinsSchema.parse(await answer.json());
    expect(btc?.current_price).toBe(100_123);
    expect(eth?.current_price).not.toBe(100_123);
    expect(answer.headers.get('x-market-attribution')).toBe('CoinGecko, Binance USD-M futures');
    const farOff = world().openLive({ livePrices: async () => traded(1, 'Binance USD-M futures') });
    expect((await farOff.app.request(COINS)).headers.get('x-market-attribution')).toBe('CoinGecko');
  });

  test('names a sandbox once even when its own candles update the list', async () => {
    const livePrices = async () => new Map([['btc', { price: 100_123, attribution: 'Sandbox market' }]]);
    const server = world().open({ livePrices });
    await untilAnswered(server);

    const { headers } = await server.app.request(COINS);

    expect([headers.get('x-market-attribution'), headers.get('x-market-kind')]).toEqual([
      'Sandbox market',
      'simulated',
    ]);
  });

  test('exposes no key in a log or a stored error', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const { addresses } = world().sandbox;
    const key = 'CG-verysecretkey';
    const keys = { coingecko: { key, plan: 'demo' }, coinmarketcap: key } as const;
    world().openLive({ source: { kind: 'live', addresses, keys }, log: createLogger('debug', destination) });

    await world().untilFailed('market-figures');

    expect(lines.join('')).toContain('status 401');
    expect(lines.join('')).not.toContain('verysecret');
    const stored = await world().query('select last_error from private.jobs where last_error is not null');
    expect(stored.map((row) => row.last_error)).toEqual(['venue/unavailable']);
  });
});
