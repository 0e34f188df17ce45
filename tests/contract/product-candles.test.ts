/** Candles of products beside the ten in live mode: stored while they are watched, and served when no venue answers. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { generatedProducts } from '../../sandbox/market/products/generated-products.ts';
import { type SandboxMarket, startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { openCandleStore } from '../../server/market/candles/candle-store.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { candlePast } from '../../server/market/candles/past-candles.ts';
import { openMarketCatalogue } from '../../server/market/catalogue/market-catalogue.ts';
import { productListOf } from '../../server/market/catalogue/product-lists.ts';
import { catalogueVenues } from '../../server/market/venues/candle-venues.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { type MovableClock, movableClock } from '../support/market/market-stack.ts';
import { liveAt } from '../support/servers/live-settings.ts';

const SEED = 'stored';
const never = new AbortController().signal;
let database: Database;
const undo: (() => unknown)[] = [];

beforeAll(async () => {
  database = await openTestDatabase(dayDatabase);
});
afterAll(() => database?.close());
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  await database.query(OWNER, 'delete from private.product_candles');
});

/** A server of live venues, which are the sandbox. */
async function aServer(clock: MovableClock, sandbox: SandboxMarket) {
  const settings = readConfig({ ...liveAt(sandbox) }).market;
  const { addresses, keys } = settings;
  const store = openCandleStore({ database, clock, log: testLog });
  const catalogue = openMarketCatalogue({
    lists: new Map(
      catalogueVenues({ order: settings.venueOrder }).map((venue) => [
        venue,
        productListOf(venue, { addresses, log: testLog }),
      ]),
    ),
    log: testLog,
    timing: { pauseMs: 0 },
  });
  await catalogue.refresh();
  const history = openMarketCandles({
    source: { kind: 'live', kindOf: () => 'live', addresses, keys },
    settings,
    clock,
    log: testLog,
    store,
    catalogue,
    timing: { patienceMs: 30_000, retryMs: 100, maxRetryMs: 200 },
  });
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await history.close();
    await store.close();
    catalogue.close();
  };
  undo.push(close);
  return { store, catalogue, history, past: candlePast({ history, store }), close };
}

async function aMarket() {
  const clock = movableClock();
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: SEED, startMs: null });
  undo.push(() => sandbox.close());
  const product =
    generatedProducts(SEED, clock.ms / 1000).find(
      ({ kind, trait, venues }) => kind === 'perpetual' && trait === 'ordinary' && venues.has('binance'),
    ) ?? expect.fail('no such product');
  return { clock, sandbox, product };
}

const read = async ({ history }: Awaited<ReturnType<typeof aServer>>, symbol: MarketSymbol, tf?: Timeframe) =>
  history.latest(symbol, 450, never, tf);
const timesOf = (candles: readonly Candle[]) => candles.map(({ time }) => time);

test('shows the candles of a watched product after a restart while no venue answers, marked as old', async () => {
  const { clock, sandbox, product } = await aMarket();
  const first = await aServer(clock, sandbox);
  const symbol = (await first.catalogue.tradedSymbol('BINANCE', product.sym, never)) ?? expect.fail();
  const before = await read(first, symbol);
  await first.close();
  const again = await aServer(clock, sandbox);
  sandbox.faults.add(
    ...(['binance', 'bybit', 'okx'] as const).flatMap((dialect) =>
      [product.venues.get(dialect) ?? []].flat().map((name) => ({
        ...({ part: 'rest', what: 'status', status: 503 } as const),
        dialect,
        product: name,
      })),
    ),
  );

  const after = await read(again, symbol);

  expect(after.candles).toEqual(before.candles);
  expect(after.isStale).toBe(true);
});

test('finds what an outcome needs in the store, whatever the venue answers', async () => {
  const { clock, sandbox, product } = await aMarket();
  const server = await aServer(clock, sandbox);
  const symbol = (await server.catalogue.tradedSymbol('BINANCE', product.sym, never)) ?? expect.fail();
  const { candles } = await read(server, symbol);
  const endS = (candles.at(-1)?.time ?? 0) + 60;

  await vi.waitFor(async () => {
    clock.ms += 60_000;
    await read(server, symbol);
    await server.store.flush();
    const [stored] = await server.past.stored(symbol, endS, endS + 7 * 86_400);
    expect(stored?.candles.length).toBeGreaterThan(2);
  });

  const [stored] = await server.past.stored(symbol, endS - 51 * 60, endS);
  expect([stored?.venueId, stored?.candles]).toEqual(['binance', candles.slice(-51)]);
});

test.each(['1min', '5min', '15min'] as const)(
  'has as many bars of %s after a restart as before it, although few are stored',
  async (timeframe) => {
    const { clock, sandbox, product } = await aMarket();
    const first = await aServer(clock, sandbox);
    const symbol = (await first.catalogue.tradedSymbol('BINANCE', product.sym, never)) ?? expect.fail();
    const before = await read(first, symbol, timeframe);
    await first.close();
    const cutS = before.candles[300]?.time ?? 0;
    await database.query(OWNER, 'delete from private.product_candles where time < $1::bigint', [cutS]);

    const after = await read(await aServer(clock, sandbox), symbol, timeframe);

    expect(after.isStale).toBe(false);
    expect(timesOf(after.candles)).toEqual(timesOf(before.candles));
    expect(after.candles).toEqual(before.candles);
  },
);

test('begins again with a product that no one read for a day', async () => {
  const { clock, sandbox, product } = await aMarket();
  const server = await aServer(clock, sandbox);
  const symbol = (await server.catalogue.tradedSymbol('BINANCE', product.sym, never)) ?? expect.fail();
  const { candles } = await read(server, symbol);
  await server.close();
  clock.ms += 26 * 3_600_000;

  // A day later nothing of it has anything in common with the venue's newest candles.
  const later = await aServer(clock, sandbox);
  const { candles: fresh, isStale } = await read(later, symbol);
  await later.store.flush();

  expect([fresh.length, isStale]).toEqual([450, false]);
  const [stored] = await later.past.stored(symbol, 0, 1e10);
  expect(timesOf(stored?.candles ?? [])).toEqual([...timesOf(candles), ...timesOf(fresh)]);
});
