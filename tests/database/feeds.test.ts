/** What the reference feeds leave in the database: answers, counts of calls, prices and their history. */
import { afterEach, describe, expect, test } from 'vitest';
import { type Coin, coinSchema } from '#domain/market/reference/global-metrics.ts';
import { snapshotStore } from '../../server/market/reference/feeds/price-snapshot-store.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { callStore } from '../../server/platform/feeds/call-store.ts';
import { feedStore } from '../../server/platform/feeds/feed-store.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const NOON_MS = Date.parse('2026-11-20T12:00:00Z');
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const aCoin = (symbol: string, price: number | null, figures: Partial<Coin> = {}): Coin => ({
  ...coinSchema.parse({ id: symbol, symbol, name: symbol }),
  current_price: price,
  ...figures,
});

// Runs on both kinds, because callers that count at the same moment race for locks.
describeEachDatabase('reference feeds', (kind) => {
  const opened = openedForTests(() => openTestDatabase(kind));
  const query = (text: string) => opened().query(OWNER, text);
  const liveStore = () => snapshotStore(opened(), 'live');
  const prices = () => query('select symbol, price, market_kind from public.price_snapshots order by symbol');
  const moments = async () => {
    const rows = await query('select fetched_at from private.price_snapshot_history order by 1');
    return rows.map((row) => (Date.parse(String(row.fetched_at)) - NOON_MS) / MINUTE_MS);
  };
  afterEach(async () => {
    await query('delete from public.price_snapshots');
    await query('delete from private.price_snapshot_history');
  });

  test('store an answer with its time and attribution, live and simulated apart', async () => {
    const [live, simulated] = [feedStore(opened(), 'live'), feedStore(opened(), 'simulated')];
    const value = { body: { data: [1, 'ä'] }, attribution: 'CoinGecko', fetchedAtMs: NOON_MS + 1 };
    await live.put('global', { ...value, body: 'older', fetchedAtMs: NOON_MS });

    await live.put('global', value);

    expect(await live.get('global')).toEqual(value);
    expect(await live.get('coins')).toBe(null);
    expect(await simulated.get('global')).toBe(null);
  });

  test('never count more simultaneous calls than allowed', async () => {
    const calls = callStore(opened());

    const counted = await Promise.all(Array.from({ length: 20 }, () => calls.spend('coingecko', '2026-11-01', 7)));

    expect(counted.filter(Boolean)).toHaveLength(7);
    expect(await calls.callsOf('coingecko', '2026-11-01')).toBe(7);
    expect(await calls.callsOf('coingecko', '2026-12-01')).toBe(0);
    expect(await calls.spend('coingecko', '2026-12-01', 7)).toBe(true);
    expect(await calls.spend('nothing-allowed', '2026-12-01', 0)).toBe(false);
  });

  describe('price snapshots', () => {
    test('are the newest of each symbol, in upper case', async () => {
      await liveStore().put([aCoin('btc', 100_000), aCoin('eth', 3500)], NOON_MS);

      await liveStore().put([aCoin('btc', 101_000, { total_volume: 5 }), aCoin('eth', 3600)], NOON_MS + MINUTE_MS);

      expect(await prices()).toEqual([
        { symbol: 'BTC', price: 101_000, market_kind: 'live' },
        { symbol: 'ETH', price: 3600, market_kind: 'live' },
      ]);
    });

    test('leave out coins without a price, unreadable symbols and the smaller of two with one symbol', async () => {
      const odd = [aCoin('a', null), aCoin('b', 0), aCoin('c d', 1), aCoin('e\u0000', 1)];

      await liveStore().put([...odd, aCoin('x', 2), aCoin('X', 1), aCoin('币安', 3)], NOON_MS);

      expect(await prices()).toMatchObject([{ symbol: 'X', price: 2 }, { symbol: '币安' }]);
    });

    test('keep a coin that left the list for a day', async () => {
      await liveStore().put([aCoin('btc', 1), aCoin('old', 2)], NOON_MS);

      await liveStore().put([aCoin('btc', 1)], NOON_MS + DAY_MS - MINUTE_MS);
      expect(await prices()).toHaveLength(2);
      await liveStore().put([aCoin('btc', 1)], NOON_MS + DAY_MS + MINUTE_MS);

      expect(await prices()).toMatchObject([{ symbol: 'BTC' }]);
    });

    test('never mix a sandbox with the live market', async () => {
      await snapshotStore(opened(), 'simulated').put([aCoin('btc', 1), aCoin('made-up', 2)], NOON_MS);

      await liveStore().put([aCoin('btc', 3)], NOON_MS + 1);

      expect(await prices()).toEqual([{ symbol: 'BTC', price: 3, market_kind: 'live' }]);
    });

    test('replace the other kind at start with what was stored of this kind', async () => {
      await snapshotStore(opened(), 'simulated').put([aCoin('btc', 1), aCoin('made-up', 2)], NOON_MS);

      await liveStore().takeOver([aCoin('btc', 3)], NOON_MS - HOUR_MS);

      expect(await prices()).toEqual([{ symbol: 'BTC', price: 3, market_kind: 'live' }]);
      expect(await query('select market_kind from private.price_snapshot_history')).toEqual([
        { market_kind: 'simulated' },
      ]);
    });

    test('stay unchanged at start when they are of this kind', async () => {
      await liveStore().put([aCoin('btc', 2)], NOON_MS);

      await liveStore().takeOver([aCoin('btc', 1), aCoin('eth', 1)], NOON_MS - HOUR_MS);

      expect(await prices()).toEqual([{ symbol: 'BTC', price: 2, market_kind: 'live' }]);
    });

    test('recover after the clock was set back', async () => {
      await liveStore().put([aCoin('btc', 1), aCoin('left', 1)], NOON_MS + 40 * DAY_MS);

      await liveStore().put([aCoin('btc', 2)], NOON_MS);

      expect(await prices()).toEqual([{ symbol: 'BTC', price: 2, market_kind: 'live' }]);
    });

    test("answer the ticker's query exactly", async () => {
      const coins = ['btc', 'wbtc', 'usdt', 'steth', 'xtz', 'eth'].map((symbol, i) => aCoin(symbol, 100 - i));
      await liveStore().put(coins, NOON_MS);

      const requested = await query(
        `select symbol from public.price_snapshots
          where symbol not ilike 'w%' and symbol not ilike '%usd%' and symbol not ilike '%st%'
          order by price desc, fetched_at desc limit 250`,
      );

      expect(requested.map((row) => row.symbol)).toEqual(['BTC', 'XTZ', 'ETH']);
    });
  });

  describe('their history', () => {
    test('holds price and volume of every symbol', async () => {
      await liveStore().put([aCoin('btc', 100_000.5, { total_volume: 2e11 }), aCoin('pepe', 0.0000065)], NOON_MS);

      const rows = await query('select market_kind, figures from private.price_snapshot_history');

      expect(rows).toEqual([{ market_kind: 'live', figures: { BTC: [100_000.5, 2e11], PEPE: [0.0000065, null] } }]);
    });

    test('draws a line of each symbol, of evenly spaced moments of the last seven days of one market', async () => {
      await snapshotStore(opened(), 'simulated').put([aCoin('btc', 9)], NOON_MS);
      await liveStore().put([aCoin('btc', 7)], NOON_MS - 8 * DAY_MS);
      for (let i = 0; i < 100; i++) {
        const coins = i < 90 ? [aCoin('btc', i + 1)] : [aCoin('btc', i + 1), aCoin('eth', 5)];
        await liveStore().put(coins, NOON_MS + i * 10 * MINUTE_MS);
      }

      const { sinceMs, prices } = await liveStore().lines(['BTC', 'ETH', 'NONE'], NOON_MS + DAY_MS);

      expect(sinceMs).toBe(NOON_MS + 10 * MINUTE_MS);
      expect(Object.keys(prices)).toEqual(['BTC']);
      expect([prices.BTC?.length, prices.BTC?.[0], prices.BTC?.at(-1)]).toEqual([50, 2, 100]);
      expect(await liveStore().lines(['BTC'], NOON_MS + 30 * DAY_MS)).toEqual({ sinceMs: null, prices: {} });
    });

    test('has no row for a list without a price', async () => {
      await liveStore().put([aCoin('btc', null)], NOON_MS);

      expect(await moments()).toEqual([]);
    });

    test('has one row every ten minutes, however often prices come', async () => {
      for (let minute = 0; minute <= 21; minute++)
        await liveStore().put([aCoin('btc', 1)], NOON_MS + minute * MINUTE_MS);

      expect(await moments()).toEqual([0, 10, 20]);
    });

    test('is thinned to one row an hour after seven days, and ends after ninety', async () => {
      const coins = [aCoin('btc', 1), aCoin('eth', 2)];
      for (const minute of [0, 10, 20, 60, 70]) await liveStore().put(coins, NOON_MS + minute * MINUTE_MS);

      await liveStore().thin(NOON_MS + 7 * DAY_MS);
      expect(await moments()).toEqual([0, 10, 20, 60, 70]);
      expect(await liveStore().thin(NOON_MS + 7 * DAY_MS + 65 * MINUTE_MS)).toBe(2);
      expect(await moments()).toEqual([0, 60, 70]);
      await liveStore().thin(NOON_MS + 90 * DAY_MS + 30 * MINUTE_MS);
      expect(await moments()).toEqual([60]);
      await liveStore().thin(NOON_MS + 91 * DAY_MS);

      expect(await moments()).toEqual([]);
    });
  });
});
