/** Order books all the way: the sandbox market's Coinbase, its connector, the relay, a page. */
import { afterEach, expect, test, vi } from 'vitest';
import type { OrderBook } from '#domain/market/book/order-book.ts';
import { systemClock } from '#domain/time/clock.ts';
import type { StreamFaultKind } from '../../sandbox/faults/faults.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { openLiveBooks } from '../../server/market/books/live-books.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { CANDLE_VENUE_IDS } from '../../server/platform/config/config-market.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { listenAnywhere, openPage } from './support/market/live-socket.ts';

const log = createLogger('silent');
type Undo = (step: () => unknown) => void;
const steps: (() => unknown)[] = [];
const undo: Undo = (step) => void steps.push(step);
afterEach(async () => {
  for (const step of steps.splice(0).reverse()) await step();
});

const WITHOUT_KEYS = {
  kind: 'live',
  kindOf: () => 'live' as const,
  keys: { alpaca: null, databento: null, coingecko: null, coinmarketcap: null },
} as const;

/** @param keys  without any, as a server that uses the real services and has none */
async function startLive(keys: 'sandbox' | 'none' = 'sandbox', after = undo) {
  const clock = systemClock;
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'book', startMs: null });
  after(() => sandbox.close());
  const source = keys === 'sandbox' ? sandboxSource(sandbox) : { ...sandboxSource(sandbox), ...WITHOUT_KEYS };
  const settings = { venueOrder: CANDLE_VENUE_IDS };
  const history = openMarketCandles({ source, settings, clock, log, store: null });
  after(() => history.close());
  const socketAccess = { isOwnHost: () => true, allowedOrigins: [], trustedProxies: 0 };
  const live = openLiveBooks({ source, history, socketAccess, clock, log, socketTiming: { retryMs: () => 100 } });
  const { server, wsUrl } = await listenAnywhere();
  live.attach(server);
  after(() => {
    live.close();
    server.close();
  });
  return { url: `${wsUrl}/market/ws`, sandbox, history, live, faults: sandbox.faults };
}

function spreadOf(book: OrderBook | undefined): number {
  return (book?.bestAsk?.price ?? Number.NaN) - (book?.bestBid?.price ?? Number.NaN);
}

const COINS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD'];

test('brings books, tickers and heartbeats to a page', async () => {
  const { url, live } = await startLive();
  const page = await openPage(url);
  undo(() => page.socket.terminate());

  page.request('subscribe', COINS, ['level2', 'ticker', 'heartbeat']);

  await vi.waitFor(() => expect(page.books.size).toBe(COINS.length));
  await vi.waitFor(() => expect(new Set(page.of('heartbeat').map((e) => e.productId)).size).toBe(COINS.length));
  await vi.waitFor(() => expect(new Set(page.of('ticker').map((e) => e.productId)).size).toBe(COINS.length));
  await vi.waitFor(() => expect(page.of('update').length).toBeGreaterThan(20));
  for (const id of COINS) {
    expect(spreadOf(page.books.get(id))).toBeGreaterThan(0);
    expect(page.books.get(id)?.levelCount('bid')).toBe(100);
    expect(page.books.get(id)?.levelCount('ask')).toBe(100);
  }
  expect(live.state()).toMatchObject({ connections: 1, staleProducts: expect.not.arrayContaining(COINS) });
  expect(live.state().upstream).toMatchObject({ connections: 1, gaps: 0, malformed: 0, crossed: 0, disagreed: 0 });
});

test('gives symbols without an order book a last price and a heartbeat, and refuses their book', async () => {
  const { url } = await startLive();
  const page = await openPage(url);
  undo(() => page.socket.terminate());

  page.request('subscribe', ['GC1!'], ['level2']);
  page.request('subscribe', ['GC1!', 'MSFT'], ['ticker', 'heartbeat']);

  await vi.waitFor(() =>
    expect(page.of('ticker').map((e) => e.productId)).toEqual(expect.arrayContaining(['GC1!', 'MSFT'])),
  );
  await vi.waitFor(() => expect(page.of('heartbeat').length).toBeGreaterThan(1));
  expect(page.of('error')).toEqual([
    { kind: 'error', message: 'Failed to subscribe', reason: 'GC1! has no order book' },
  ]);
  const [gold] = page.of('ticker').filter((e) => e.productId === 'GC1!');
  expect(gold?.price).toBeGreaterThan(0);
  expect(gold?.low24h).toBeLessThanOrEqual(gold?.price ?? 0);
  expect(gold?.high24h).toBeGreaterThanOrEqual(gold?.price ?? 0);
});

test('refuses a symbol whose feed needs a key that is not set, without a request', async () => {
  const { url, history, live } = await startLive('none');
  const latest = vi.spyOn(history, 'latest');
  const page = await openPage(url);
  undo(() => page.socket.terminate());

  page.request('subscribe', ['MSFT'], ['ticker', 'heartbeat']);
  page.request('subscribe', ['BTC-USD', 'GC1!'], ['ticker']);
  page.request('subscribe', ['BTC-USD'], ['ticker', 'heartbeat']);

  await vi.waitFor(() => expect(page.of('heartbeat').length).toBeGreaterThan(1));
  expect(page.of('error').map((e) => e.reason)).toEqual(['MSFT is not connected', 'GC1! is not connected']);
  expect(latest).not.toHaveBeenCalled();
  expect(live.state().staleProducts).toEqual([]);
});

test('resumes a cut connection, and the page continues in step', async () => {
  const { url, sandbox, live } = await startLive();
  const page = await openPage(url);
  undo(() => page.socket.terminate());
  page.request('subscribe', ['BTC-USD'], ['level2', 'heartbeat']);
  await vi.waitFor(() => expect(page.books.size).toBe(1));

  sandbox.cutStreams();

  await vi.waitFor(() => expect(live.state().upstream.connections).toBe(2));
  const before = page.of('update').length;
  await vi.waitFor(() => expect(page.of('update').length).toBeGreaterThan(before + 5));
  expect(spreadOf(page.books.get('BTC-USD'))).toBeGreaterThan(0);
  expect(page.books.get('BTC-USD')?.levelCount('bid')).toBe(100);
  expect(page.of('snapshot')).toHaveLength(1);
});

const FAULTS: readonly StreamFaultKind[] = [
  ...(['gap', 'crossed', 'stall', 'values', 'disorder', 'refusal', 'close', 'broken', 'stranger', 'skew'] as const),
];

test('never shows a page a broken book whatever breaks, and the right one afterwards', async () => {
  const { url, live, faults } = await startLive();
  const page = await openPage(url);
  undo(() => page.socket.terminate());
  let crossedFrames = 0;
  page.socket.on('message', () => {
    for (const book of page.books.values()) if (book.isCrossed || book.rejected > 0) crossedFrames += 1;
  });
  page.request('subscribe', COINS, ['level2', 'ticker', 'heartbeat']);
  await vi.waitFor(() => expect(live.state().staleProducts).not.toEqual(expect.arrayContaining(['BTC-USD'])));

  for (const what of FAULTS) {
    faults.add({
      part: 'stream',
      dialect: 'coinbase',
      what,
      forMs: what === 'crossed' ? 1500 : 400,
      skewMs: -86_400_000,
    });
    await vi.waitFor(() => expect(faults.list()).toEqual([]));
    const before = page.of('update').length;
    await vi.waitFor(
      () => {
        expect(
          live.state().staleProducts.filter((id) => COINS.includes(id)),
          what,
        ).toEqual([]);
        expect(page.of('update').length, what).toBeGreaterThan(before + 3);
      },
      { interval: 50 },
    );
  }

  const fresh = await openPage(url);
  undo(() => fresh.socket.terminate());
  fresh.request('subscribe', COINS, ['level2']);
  await vi.waitFor(() => {
    expect(fresh.books.size).toBe(COINS.length);
    for (const id of COINS) expect(page.books.get(id)?.top('ask', 100)).toEqual(fresh.books.get(id)?.top('ask', 100));
  });
  expect(crossedFrames).toBe(0);
  const { upstream } = live.state();
  expect(upstream.connections).toBeGreaterThan(1);
  expect(upstream.malformed).toBeGreaterThan(0);
});
