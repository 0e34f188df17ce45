/** Prices of coins for all visitors: a fresh server serves them within seconds, to both queries of the pages. */
import { createClient } from '@supabase/supabase-js';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { openTestDatabase } from '../support/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

const FIELDS = 'symbol,price,change_24h,pct_24h,volume_24h,fetched_at';

describeBothAtNight('price snapshots of a fresh server', (kind) => {
  const opened = openedForTests(async () => {
    const database = await openTestDatabase(kind);
    const server = await startWholeServer(database);
    const answer: unknown = await (await fetch(`${server.url}/config.json`)).json();
    const { supabaseAnonKey } = z.object({ supabaseAnonKey: z.string() }).parse(answer);
    return {
      visitor: createClient(server.url, supabaseAnonKey, { auth: { persistSession: false } }),
      url: server.url,
      async close() {
        await server.close();
        await database.close();
      },
    };
  });

  test('return every coin once to the ticker, dearest first, without wrapped and dollar coins', async () => {
    const readSnapshots = () =>
      opened()
        .visitor.from('price_snapshots')
        .select(FIELDS)
        .not('symbol', 'ilike', 'w%')
        .not('symbol', 'ilike', '%usd%')
        .not('symbol', 'ilike', '%st%')
        .order('price', { ascending: false })
        .order('fetched_at', { ascending: false })
        .limit(250);
    await vi.waitFor(async () => expect((await readSnapshots()).data?.length).toBeGreaterThan(200));

    const rows = (await readSnapshots()).data ?? [];

    const symbols = rows.map((row) => String(row.symbol));
    expect(new Set(symbols).size).toBe(symbols.length);
    expect(symbols).toEqual(expect.arrayContaining(['BTC', 'ETH', 'SOL', 'DOGE', 'XTZ']));
    expect(symbols.filter((symbol) => /^w|usd|st/i.test(symbol))).toEqual([]);
    const prices = rows.map((row) => Number(row.price));
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
    expect(rows.some((row) => row.pct_24h === null)).toBe(true);
  });

  test("return the newest row to the Bitcoin panel, at the market list's price", async () => {
    const readSnapshots = () =>
      opened()
        .visitor.from('price_snapshots')
        .select(FIELDS)
        .eq('symbol', 'BTC')
        .order('fetched_at', { ascending: false })
        .limit(1);
    await vi.waitFor(async () => expect((await readSnapshots()).data).toHaveLength(1));

    const [row] = (await readSnapshots()).data ?? [];

    const list: unknown = await (await fetch(`${opened().url}/api/v3/coins/markets?vs_currency=usd&per_page=1`)).json();
    const [coin] = z.array(z.object({ symbol: z.string(), current_price: z.number() })).parse(list);
    expect(coin?.symbol).toBe('btc');
    expect(Math.abs(Number(row?.price) / (coin?.current_price ?? 0) - 1)).toBeLessThan(0.05);
  });
});
