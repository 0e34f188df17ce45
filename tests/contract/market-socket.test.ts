/** Prices of the catalogue's products on the live socket, from the sandbox's venues to a page. */
import { afterEach, expect, test, vi } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { systemClock } from '#domain/time/clock.ts';
import { generatedProducts } from '../../sandbox/market/products/generated-products.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { openLiveBooks } from '../../server/market/books/live-books.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { openMarketCatalogue } from '../../server/market/catalogue/market-catalogue.ts';
import { productListOf } from '../../server/market/catalogue/product-lists.ts';
import { catalogueVenues } from '../../server/market/venues/candle-venues.ts';
import { CANDLE_VENUE_IDS } from '../../server/platform/config/config-market.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { listenAnywhere, openPage } from './support/market/live-socket.ts';

const SEED = 'socket';
const log = createLogger('silent');
const steps: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of steps.splice(0).reverse()) await step();
});

async function start() {
  const clock = systemClock;
  const openedS = clock.nowMs() / 1000;
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: SEED, startMs: null });
  steps.push(() => sandbox.close());
  const source = sandboxSource(sandbox);
  const lists = catalogueVenues({ order: CANDLE_VENUE_IDS }).map(
    (venue) => [venue, productListOf(venue, { addresses: source.addresses, log })] as const,
  );
  const catalogue = openMarketCatalogue({ lists: new Map(lists), log });
  steps.push(() => catalogue.close());
  const settings = { venueOrder: CANDLE_VENUE_IDS };
  const history = openMarketCandles({ source, settings, clock, log, store: null, catalogue });
  steps.push(() => history.close());
  const socketAccess = { isOwnHost: () => true, allowedOrigins: [], trustedProxies: 1 };
  const live = openLiveBooks({ source, history, symbols: catalogue, socketAccess, clock, log });
  const { server, wsUrl } = await listenAnywhere();
  live.attach(server);
  steps.push(() => {
    live.close();
    server.close();
  });
  const open = async (address?: string) => {
    const page = await openPage(`${wsUrl}/market/ws`, address === undefined ? {} : { 'x-forwarded-for': address });
    steps.push(() => page.socket.terminate());
    return page;
  };
  const ordinary = generatedProducts(SEED, openedS).filter(({ trait }) => trait === 'ordinary');
  const ofKind = (kind: string): string => ordinary.find((each) => each.kind === kind)?.sym ?? expect.fail(kind);
  const withBook = ordinary.filter(({ bookId }) => bookId !== null);
  const bookOf = async (sym: string) => (await catalogue.savedSymbol(sym, new AbortController().signal))?.bookProductId;
  return { live, open, history, sandbox, withBook, bookOf, perpetual: ofKind('perpetual'), spot: ofKind('spot') };
}

test('sends prices and heartbeats of products that no request named before', async () => {
  const { open, perpetual, spot } = await start();
  const page = await open();

  page.request('subscribe', [perpetual, spot], ['ticker', 'heartbeat']);

  const productsOf = (kind: 'ticker' | 'heartbeat') => new Set(page.of(kind).map((event) => event.productId));
  await vi.waitFor(() => expect(productsOf('ticker')).toEqual(new Set([perpetual, spot])));
  await vi.waitFor(() => expect(productsOf('heartbeat')).toEqual(new Set([perpetual, spot])));
  expect(page.of('error')).toEqual([]);
  expect(page.of('ticker').every(({ price }) => (price ?? 0) > 0)).toBe(true);
});

test('sends the minutes of the ten and of products as they form, and the time of their market', async () => {
  const { open, perpetual, history } = await start();
  const page = await open();
  const ids = ['BTCUSDT.P', 'DX1!', perpetual];

  page.request('subscribe', ids, ['candles', 'heartbeat']);

  const newest = (id: string) => page.of('candles').findLast((event) => event.productId === id);
  for (const id of ids) {
    await vi.waitFor(() => expect(newest(id)?.closed).toBeDefined());
    // The index’s prices are a quarter of an hour late, and so is its market, unless another venue has taken over.
    await vi.waitFor(async () => {
      const beat = page.of('heartbeat').findLast(({ productId }) => productId === id) ?? expect.fail('no heartbeat');
      const delayS =
        id === 'DX1!' ? (await history.latest(symbolNamed('DXY'), 1, AbortSignal.timeout(WAIT_MS))).delayS : 0;
      expect(Math.abs(systemClock.nowMs() - (beat.marketMs ?? 0) - delayS * 1000)).toBeLessThan(60_000);
    });
  }
  const moving = await vi.waitFor(() => newest('BTCUSDT.P')?.forming ?? expect.fail('nothing forms'));
  await vi.waitFor(() => expect(newest('BTCUSDT.P')?.forming).not.toEqual(moving));
  expect(page.of('error')).toEqual([]);
});

test('relays the order book of a product to every page that reads it, over one connection, until none does', async () => {
  const { open, live, withBook, bookOf } = await start();
  const [{ sym, bookId } = expect.fail('no such product')] = withBook;
  expect(await bookOf(sym)).toBe(bookId);
  const id = bookId ?? '';
  const pages = [await open(), await open()];
  const before = live.state().upstream.connections;

  for (const page of pages) page.request('subscribe', [id], ['level2', 'ticker', 'heartbeat']);

  for (const page of pages) {
    await vi.waitFor(() => expect(page.books.get(id)?.levelCount('bid')).toBe(100));
    await vi.waitFor(() => expect(page.of('update').length).toBeGreaterThan(0));
    await vi.waitFor(() => expect(page.of('heartbeat').length).toBeGreaterThan(0));
    const ticker = await vi.waitFor(() => page.of('ticker').at(-1) ?? expect.fail('no price'));
    expect(ticker).toMatchObject({ productId: id });
    expect(ticker.bestBid).toBeLessThan(ticker.bestAsk ?? 0);
  }
  await vi.waitFor(() => {
    const tops = pages.map((page) => page.books.get(id)?.bestPrice('ask'));
    expect(tops[0]).toBe(tops[1]);
  });
  expect(live.state().upstream.connections).toBe(before + 1);
  expect(live.state().staleProducts).not.toContain(id);

  pages[0]?.request('unsubscribe', [id], ['level2', 'ticker', 'heartbeat']);
  const [seen, others] = [pages[0]?.of('update').length, pages[1]?.of('update').length ?? 0];
  await vi.waitFor(() => expect(pages[1]?.of('update').length).toBeGreaterThan(others + 2));
  expect(pages[0]?.of('update').length).toBeLessThanOrEqual((seen ?? 0) + 1);
});

test('shows the last book with its age, and no heartbeat, after the product was delisted', async () => {
  const { open, sandbox, withBook, live } = await start();
  const [{ bookId } = expect.fail('no such product')] = withBook;
  const id = bookId ?? '';
  const page = await open();
  page.request('subscribe', [id], ['level2', 'heartbeat']);
  await vi.waitFor(() => expect(page.of('heartbeat').length).toBeGreaterThan(0));

  sandbox.faults.add({ part: 'listing', dialect: 'coinbase', product: id, what: 'delisted' });

  await vi.waitFor(() => expect(live.state().staleProducts).toContain(id));
  const late = await open();
  late.request('subscribe', [id], ['level2', 'heartbeat']);
  await vi.waitFor(() => expect(late.of('snapshot')[0]?.ageMs).toBeGreaterThan(0));
  expect(late.of('heartbeat')).toEqual([]);
});

test('opens no more than four books of products for one connection, and refuses a fifth by name', async () => {
  const { open, withBook } = await start();
  const ids = withBook.slice(0, 5).flatMap(({ bookId }) => bookId ?? []);
  const page = await open();

  for (const id of ids) page.request('subscribe', [id], ['level2']);

  await vi.waitFor(() => expect(page.books.size).toBe(4));
  await vi.waitFor(() =>
    expect(page.of('error').map(({ reason }) => reason)).toEqual([
      `${ids[4]} would be one order book too many for this connection`,
    ]),
  );
  page.request('unsubscribe', [ids[0] ?? ''], ['level2']);
  page.request('subscribe', [ids[4] ?? ''], ['level2']);
  await vi.waitFor(() => expect(page.books.size).toBe(5));
});

test('opens eight books for one address, and those that another reads besides', async () => {
  const { open, withBook } = await start();
  const ids = withBook.slice(0, 10).flatMap(({ bookId }) => bookId ?? []);
  const other = await open('192.0.2.2');
  other.request('subscribe', ids.slice(0, 1), ['level2']);
  await vi.waitFor(() => expect(other.books.size).toBe(1));
  const pages = [await open('192.0.2.1'), await open('192.0.2.1'), await open('192.0.2.1')];

  for (const [i, id] of ids.slice(1, 9).entries()) pages[i % 2]?.request('subscribe', [id], ['level2']);
  await vi.waitFor(() => expect(pages.map(({ books }) => books.size)).toEqual([4, 4, 0]));
  pages[2]?.request('subscribe', ids.slice(9), ['level2']);
  await vi.waitFor(() =>
    expect(pages[2]?.of('error').map(({ reason }) => reason)).toEqual([
      `${ids[9]} would be one order book too many for this address`,
    ]),
  );
  pages[2]?.request('subscribe', ids.slice(0, 1), ['level2']);
  await vi.waitFor(() => expect(pages[2]?.books.size).toBe(1));
});

test('refuses a book of such a product by its code, and a code that no product has', async () => {
  const { open, perpetual, live } = await start();
  const page = await open();

  page.request('subscribe', [perpetual], ['level2']);
  page.request('subscribe', ['NOSUCHUSDT.P'], ['ticker']);
  page.request('subscribe', ['NOSUCH-USD'], ['level2']);
  // The ten have their own names here.
  page.request('subscribe', ['BTCUSDT.P'], ['ticker']);

  await vi.waitFor(() =>
    expect(new Set(page.of('error').map(({ reason }) => reason))).toEqual(
      new Set([
        `${perpetual} has no order book`,
        'NOSUCHUSDT.P is not a valid product',
        'NOSUCH-USD is not a valid product',
        'BTCUSDT.P is not a valid product',
      ]),
    ),
  );
  expect(live.state().staleProducts).not.toContain(perpetual);
});
