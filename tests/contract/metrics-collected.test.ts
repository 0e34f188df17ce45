/**
 * How reference figures are collected: by which server, how often, within which allowance, and for which kind of
 * market.
 */
import { expect, test, vi } from 'vitest';
import { globalMetricsSchema } from '#domain/market/reference/global-metrics.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { COINS, jsonOf, metricsWorldForTests, untilAnswered } from './support/market/metrics.ts';

describeOneDatabase('collection of reference figures', (kind) => {
  const world = metricsWorldForTests(kind);

  test('collects on one of two servers with one database, and serves from both', async () => {
    const [one, other] = [world().openLive(), world().openLive()];

    for (const server of [one, other]) await untilAnswered(server);

    const calls = [...one.calls, ...other.calls];
    expect(calls.map((path) => path.replace(/^\/[a-z-]+/, '')).sort()).toEqual([
      '/api/v3/coins/markets',
      '/api/v3/global',
      '/fng/',
    ]);
    expect(await jsonOf(one, COINS)).toEqual(await jsonOf(other, COINS));
  });

  test('makes no call after a restart before the next one is due', async () => {
    const first = world().openLive();
    await untilAnswered(first);
    await vi.waitFor(async () => {
      expect(await world().query('select name from private.jobs where holder is not null')).toEqual([]);
    });
    await first.close();

    const second = world().openLive();
    await untilAnswered(second);

    expect(second.calls).toEqual([]);
  });

  test("takes the whole market's figures from CoinMarketCap when CoinGecko refuses them", async () => {
    world().sandbox.faults.add({
      part: 'rest',
      dialect: 'coingecko',
      path: '/api/v3/global',
      what: 'status',
      status: 403,
    });
    const server = world().openLive();
    await untilAnswered(server);

    const answer = await server.app.request('/api/v3/global');

    expect(answer.headers.get('x-market-attribution')).toBe('CoinMarketCap');
    const { data } = globalMetricsSchema.parse(await answer.json());
    expect(data.total_market_cap.usd).toBeGreaterThan(1e12);
    expect((await server.app.request(COINS)).headers.get('x-market-attribution')).toBe('CoinGecko');
  });

  test('counts every call, and makes none once the allowance is spent', async () => {
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await world().query(`insert into private.feed_calls values ('coingecko', '${month}', 9799)`);
    const server = world().openLive();
    await world().untilFailed('market-figures');

    expect(server.calls.filter((path) => path.startsWith('/coingecko'))).toHaveLength(1);
    expect(await world().query("select calls from private.feed_calls where feed = 'coingecko'")).toEqual([
      { calls: 9800 },
    ]);
  });

  test('fetches figures immediately with a paid key set after the allowance was spent', async () => {
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await world().query(`insert into private.feed_calls values ('coingecko', '${month}', 9800)`);
    const { addresses } = world().sandbox;
    const ofPlan = (plan: 'demo' | 'paid') =>
      ({ kind: 'live', addresses, keys: { coingecko: { key: 'sandbox', plan }, coinmarketcap: null } }) as const;
    const spent = world().openLive({ source: ofPlan('demo') });
    await world().untilFailed('market-figures');
    await spent.close();

    const server = world().openLive({ source: ofPlan('paid') });

    await untilAnswered(server);
  });

  test('serves the whole market from CoinMarketCap, without an extra call, once the allowance is spent', async () => {
    const month = `${new Date().toISOString().slice(0, 7)}-01`;
    await world().query(`insert into private.feed_calls values ('coingecko', '${month}', 9800)`);
    const first = world().openLive();
    await world().untilFailed('market-figures');
    await first.close();
    await world().query("update private.jobs set next_due_at = now() + interval '0 s', failures = 0");

    const server = world().openLive();
    await world().untilFailed('market-figures');

    expect((await server.app.request('/api/v3/global')).headers.get('x-market-attribution')).toBe('CoinMarketCap');
    expect(server.calls.filter((path) => path.startsWith('/coinmarketcap'))).toEqual([]);
  });

  test('pauses every server after one of them receives Retry-After', async () => {
    world().sandbox.faults.add({ part: 'rest', dialect: 'coingecko', what: 'status', status: 429, retryAfterS: 600 });
    const servers = [world().openLive(), world().openLive(), world().openLive()];
    await world().untilFailed('market-figures');
    for (const server of servers) await vi.waitFor(() => server.app.request('/fng/'));

    const calls = servers.flatMap((server) => server.calls.filter((path) => path.startsWith('/coingecko')));

    expect(calls).toHaveLength(1);
    const [due] = await world().query(
      `select bool_and(next_due_at > now() + interval '590 s') as ok from private.jobs where name like '%market-figures%'`,
    );
    expect(due).toEqual({ ok: true });
  });
});
