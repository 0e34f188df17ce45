/** Reference figures from the services' words to our own addresses, with everything that goes wrong in between. */
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fearGreedSchema } from '#domain/market/fear-greed.ts';
import { coinsSchema, globalMetricsSchema } from '#domain/market/global-metrics.ts';
import type { RestFault } from '../../sandbox/market/market-faults.ts';
import { createLogger } from '../../server/platform/log.ts';
import { describeEachDatabase } from '../support/each-database.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { type MetricsServer, type MetricsWorld, startMetricsWorld } from './support-metrics.ts';

const COINS =
  '/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=50&page=1&sparkline=false&price_change_percentage=24h';
const PATHS = ['/api/v3/global', COINS, '/fng/?limit=1'] as const;
const LIMIT_MS = 15_000;

describeEachDatabase('reference figures', (kind) => {
  const opened = openedForTests(() => startMetricsWorld(kind));
  let world: MetricsWorld;
  beforeEach(() => {
    world = opened();
  });
  afterEach(() => world.reset());

  const jsonOf = async (server: MetricsServer, path: string): Promise<unknown> =>
    (await server.app.request(path)).json();
  const fetchedAt = async (server: MetricsServer, path: string) =>
    (await server.app.request(path)).headers.get('x-fetched-at');

  async function untilAnswered(server: MetricsServer): Promise<void> {
    await vi.waitFor(async () => {
      for (const path of PATHS) expect((await server.app.request(path)).status).toBe(200);
    }, LIMIT_MS);
  }

  /** Figures of a server that has stopped since. */
  async function collectOnce(): Promise<void> {
    const server = world.open();
    await untilAnswered(server);
    await server.close();
    await world.query("update private.jobs set next_due_at = now() + interval '0 s'");
    await world.query("update private.feed_values set fetched_at = fetched_at - interval '10 minutes'");
  }

  async function untilFailed(job: string): Promise<void> {
    await vi.waitFor(async () => {
      expect(
        await world.query(`select failures from private.jobs where name like '%:${job}%' and failures > 0`),
      ).toHaveLength(1);
    }, LIMIT_MS);
  }

  test('are here within seconds of a fresh start, in the shapes of their services', async () => {
    const server = world.open();
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
    const [rows] = await world.query('select count(*)::int as rows, max(price) as top from public.price_snapshots');
    expect(rows?.rows).toBeGreaterThan(240);
    expect(rows?.top).toBe(coins[0]?.current_price);
  });

  test('that are not here yet are 503 as JSON, and what cannot be asked is 400', async () => {
    world.sandbox.faults.add({ part: 'rest', dialect: 'coingecko', what: 'refusal' });
    const server = world.open();

    const early = await server.app.request(COINS);
    const wrong = await server.app.request(`${COINS}&ids=bitcoin`);

    expect([early.status, await early.json()]).toMatchObject([503, { code: 'venue/unavailable' }]);
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      { details: { parameter: 'ids', problem: 'unknown' } },
    ]);
  });

  test('cost a visitor no call: they are read from what is stored', async () => {
    const server = world.openLive();
    await untilAnswered(server);
    const calls = server.calls.length;

    for (let i = 0; i < 20; i++) for (const path of PATHS) await server.app.request(path);

    expect(server.calls.length).toBe(calls);
  });

  test('move on by themselves', async () => {
    const server = world.open({ sandboxPeriodMs: 50 });
    await untilAnswered(server);
    const first = await fetchedAt(server, COINS);

    await vi.waitFor(async () => expect(await fetchedAt(server, COINS)).not.toBe(first), LIMIT_MS);
  });

  const fault = (change: Partial<RestFault>): RestFault => ({
    part: 'rest',
    dialect: 'coingecko',
    what: 'html',
    ...change,
  });
  describe.each<[string, RestFault]>([
    ['a page instead of JSON', fault({ what: 'html' })],
    ['JSON that is cut', fault({ what: 'cut-off' })],
    ['429 with a time to wait', fault({ what: 'status', status: 429, retryAfterS: 3600 })],
    ['an error of the service', fault({ what: 'status', status: 503 })],
    ['a bad key', fault({ what: 'status', status: 401 })],
    ['no connection', fault({ what: 'refusal' })],
  ])('after %s', (_what, broken) => {
    test('the last good answer is given, with its age', async () => {
      await collectOnce();
      world.sandbox.faults.add(broken);
      const server = world.open();
      const before = await fetchedAt(server, COINS);
      expect(before).not.toBe(null);

      await untilFailed('market-figures');

      const answer = await server.app.request(COINS);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-fetched-at')).toBe(before);
      const hoursLater = world.open({ clock: { nowMs: () => Date.now() + 2 * 3_600_000 } });
      expect((await hoursLater.app.request(COINS)).headers.get('x-market-stale')).toBe('true');
      expect(coinsSchema.parse(await answer.json())).toHaveLength(50);
    });
  });

  test('null figures pass, and a coin without a price has no snapshot', async () => {
    const server = world.open();
    await untilAnswered(server);

    const coins = coinsSchema.parse(await jsonOf(server, COINS.replace('per_page=50', 'per_page=250')));

    const without = coins.filter((coin) => coin.current_price === null).map((coin) => coin.symbol.toUpperCase());
    expect(without.length).toBeGreaterThan(0);
    expect(coins.some((coin) => coin.price_change_percentage_24h === null)).toBe(true);
    const rows = await world.query('select symbol from public.price_snapshots');
    expect(rows.filter((row) => without.includes(String(row.symbol)))).toEqual([]);
    const nulls = await world.query('select symbol from public.price_snapshots where pct_24h is null');
    expect(nulls.length).toBeGreaterThan(0);
  });

  test('an error that passes costs a second try', async () => {
    world.sandbox.faults.add({
      part: 'rest',
      dialect: 'coingecko',
      what: 'status',
      status: 429,
      retryAfterS: 1,
      count: 1,
    });
    world.sandbox.faults.add({ part: 'rest', dialect: 'fear-greed', what: 'status', status: 500, count: 1 });
    const server = world.openLive();

    await untilAnswered(server);

    expect(server.calls.filter((path) => path.includes('fng'))).toHaveLength(2);
    expect(await world.query('select name from private.jobs where failures > 0')).toEqual([]);
  });

  test('of two servers on one database one collects, and both answer', async () => {
    const [one, other] = [world.openLive(), world.openLive()];

    for (const server of [one, other]) await untilAnswered(server);

    const calls = [...one.calls, ...other.calls];
    expect(calls.map((path) => path.replace(/^\/[a-z-]+/, '')).sort()).toEqual([
      '/api/v3/coins/markets',
      '/api/v3/global',
      '/fng/',
    ]);
    expect(await jsonOf(one, COINS)).toEqual(await jsonOf(other, COINS));
  });

  test('a restart asks nobody again before the time', async () => {
    const first = world.openLive();
    await untilAnswered(first);
    await vi.waitFor(async () => {
      expect(await world.query('select name from private.jobs where holder is not null')).toEqual([]);
    }, LIMIT_MS);
    await first.close();

    const second = world.openLive();
    await untilAnswered(second);

    expect(second.calls).toEqual([]);
  });

  test('of the whole market come from the other service where the first has none', async () => {
    world.sandbox.faults.add({
      part: 'rest',
      dialect: 'coingecko',
      path: '/api/v3/global',
      what: 'status',
      status: 403,
    });
    const server = world.openLive();
    await untilAnswered(server);

    const answer = await server.app.request('/api/v3/global');

    expect(answer.headers.get('x-market-attribution')).toBe('CoinMarketCap');
    const { data } = globalMetricsSchema.parse(await answer.json());
    expect(data.total_market_cap.usd).toBeGreaterThan(1e12);
    expect((await server.app.request(COINS)).headers.get('x-market-attribution')).toBe('CoinGecko');
  });

  test('of another kind of market are gone with the start, though no service answers, and come back with theirs', async () => {
    const kinds = () => world.query('select market_kind, count(*)::int as n from public.price_snapshots group by 1');
    await collectOnce();
    const [simulated] = await kinds();
    expect(simulated?.market_kind).toBe('simulated');
    world.sandbox.faults.add({ part: 'rest', dialect: 'coingecko', what: 'refusal' });

    const live = world.openLive();
    await vi.waitFor(async () => expect(await kinds()).toEqual([]), LIMIT_MS);
    await live.close();
    world.open();

    await vi.waitFor(async () => expect(await kinds()).toEqual([simulated]), LIMIT_MS);
    expect(await world.query('select distinct market_kind from private.price_snapshot_history')).toEqual([
      { market_kind: 'simulated' },
    ]);
  });

  test('every call is counted, and with the allowance spent none is made', async () => {
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await world.query(`insert into private.feed_calls values ('coingecko', '${month}', 9799)`);
    const server = world.openLive();
    await untilFailed('market-figures');

    expect(server.calls.filter((path) => path.startsWith('/coingecko'))).toHaveLength(1);
    expect(await world.query("select calls from private.feed_calls where feed = 'coingecko'")).toEqual([
      { calls: 9800 },
    ]);
  });

  test('a key set after the allowance was spent brings figures at once', async () => {
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await world.query(`insert into private.feed_calls values ('coingecko', '${month}', 9800)`);
    const { addresses } = world.sandbox;
    const ofPlan = (plan: 'demo' | 'paid') =>
      ({ kind: 'live', addresses, keys: { coingecko: { key: 'sandbox', plan }, coinmarketcap: null } }) as const;
    const spent = world.openLive({ source: ofPlan('demo') });
    await untilFailed('market-figures');
    await spent.close();

    const server = world.openLive({ source: ofPlan('paid') });

    await untilAnswered(server);
  });

  test('with the allowance spent the whole market comes from the other service, soon and at its own pace', async () => {
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await world.query(`insert into private.feed_calls values ('coingecko', '${month}', 9800)`);
    const first = world.openLive();
    await untilFailed('market-figures');
    await first.close();
    await world.query("update private.jobs set next_due_at = now() + interval '0 s', failures = 0");

    const server = world.openLive();
    await untilFailed('market-figures');

    expect((await server.app.request('/api/v3/global')).headers.get('x-market-attribution')).toBe('CoinMarketCap');
    expect(server.calls.filter((path) => path.startsWith('/coinmarketcap'))).toEqual([]);
  });

  test('two servers leave a service alone that asked one of them for patience', async () => {
    world.sandbox.faults.add({ part: 'rest', dialect: 'coingecko', what: 'status', status: 429, retryAfterS: 600 });
    const servers = [world.openLive(), world.openLive(), world.openLive()];
    await untilFailed('market-figures');
    for (const server of servers) await vi.waitFor(() => server.app.request('/fng/'), LIMIT_MS);

    const calls = servers.flatMap((server) => server.calls.filter((path) => path.startsWith('/coingecko')));

    expect(calls).toHaveLength(1);
    const [due] = await world.query(
      `select bool_and(next_due_at > now() + interval '590 s') as ok from private.jobs where name like '%market-figures%'`,
    );
    expect(due).toEqual({ ok: true });
  });

  test('the largest coins show the live price between two answers, and whose it is', async () => {
    const traded = (price: number, attribution: string) => new Map([['btc', { price, attribution }]]);
    const server = world.openLive({ livePrices: async () => traded(100_123, 'Binance USD-M futures') });
    await untilAnswered(server);

    const answer = await server.app.request(COINS);

    const [btc, eth] = coinsSchema.parse(await answer.json());
    expect(btc?.current_price).toBe(100_123);
    expect(eth?.current_price).not.toBe(100_123);
    expect(answer.headers.get('x-market-attribution')).toBe('CoinGecko, Binance USD-M futures');
    const farOff = world.openLive({ livePrices: async () => traded(1, 'Binance USD-M futures') });
    expect((await farOff.app.request(COINS)).headers.get('x-market-attribution')).toBe('CoinGecko');
  });

  test('a sandbox is named once, though its own candles move the list', async () => {
    const livePrices = async () => new Map([['btc', { price: 100_123, attribution: 'Sandbox market' }]]);
    const server = world.open({ livePrices });
    await untilAnswered(server);

    const { headers } = await server.app.request(COINS);

    expect([headers.get('x-market-attribution'), headers.get('x-market-kind')]).toEqual([
      'Sandbox market',
      'simulated',
    ]);
  });

  test('no key is told in a log or kept with an error', async () => {
    const lines: string[] = [];
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const { addresses } = world.sandbox;
    const key = 'CG-verysecretkey';
    const keys = { coingecko: { key, plan: 'demo' }, coinmarketcap: key } as const;
    world.openLive({ source: { kind: 'live', addresses, keys }, log: createLogger('debug', destination) });

    await untilFailed('market-figures');

    expect(lines.join('')).toContain('status 401');
    expect(lines.join('')).not.toContain('verysecret');
    const kept = await world.query('select last_error from private.jobs where last_error is not null');
    expect(kept.map((row) => row.last_error)).toEqual(['venue/unavailable']);
  });
});
