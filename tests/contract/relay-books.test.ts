/** The live socket of the site as a page uses it: requests, frames, stale products, a page that does not read. */
import { afterEach, expect, test, vi } from 'vitest';
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import { OrderBook } from '#domain/market/book/order-book.ts';
import { systemClock } from '#domain/time/clock.ts';
import { type BookRelayOptions, openBookRelay } from '../../server/market/books/book-relay.ts';
import type { LiveProduct } from '../../server/market/books/book-source.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { listenAnywhere, openPage } from './support/market/live-socket.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

interface ScriptedProduct {
  book: OrderBook;
  isSound: boolean;
  isFresh: boolean;
  ticker: TickerEvent | null;
  revision: number;
}

const aTicker = (productId: string, price: number): TickerEvent => ({
  kind: 'ticker',
  productId,
  price,
  open24h: 90,
  high24h: 110,
  low24h: 80,
  volume24h: 5,
  lastSize: 1,
  bestBid: 99,
  bestBidSize: 1,
  bestAsk: 101,
  bestAskSize: 1,
  side: 'buy',
  sequence: 1,
  tradeId: 2,
  time: 'T',
});

function aProduct(): ScriptedProduct {
  const book = new OrderBook();
  book.load(
    Array.from({ length: 150 }, (_, i) => [1000 - i, 1]),
    Array.from({ length: 150 }, (_, i) => [1001 + i, 1]),
  );
  return { book, isSound: true, isFresh: true, ticker: null, revision: 1 };
}

async function startRelay(options: Partial<BookRelayOptions> = {}) {
  const products = new Map(['BTC-USD', 'ETH-USD'].map((id) => [id, aProduct()]));
  const prices = new Map<string, TickerEvent>();
  const productOf = ({ book, isSound, ...rest }: ScriptedProduct): LiveProduct => ({
    ...rest,
    soundBook: isSound ? book : null,
  });
  const noFaults = { gaps: 0, malformed: 0, refusals: 0, crossed: 0, disagreed: 0, unresponsive: 0, missing: 0 };
  const none = { connections: 1, renewed: 0, ...noFaults };
  const relay = openBookRelay({
    bookProductIds: [...products.keys()],
    books: {
      product(id) {
        const product = products.get(id);
        return product === undefined ? null : productOf(product);
      },
      counters: () => none,
    },
    tickers: {
      productIds: ['GC1!'],
      latest: (id) => prices.get(id) ?? null,
      candles: () => null,
      idleMs: () => 0,
      marketMs: () => null,
      isFresh: (id) => prices.has(id),
    },
    clock: systemClock,
    log: createLogger('silent'),
    isOwnHost: () => true,
    allowedOrigins: [],
    addressOf: () => 'one',
    timing: { frameMs: 10, heartbeatMs: 50 },
    ...options,
  });
  const { server, wsUrl } = await listenAnywhere();
  relay.attach(server);
  undo.push(() => {
    relay.close();
    server.close();
  });
  const open = async () => {
    const page = await openPage(`${wsUrl}/market/ws`);
    undo.push(() => page.socket.terminate());
    return page;
  };
  const product = (id = 'BTC-USD'): ScriptedProduct => products.get(id) ?? aProduct();
  function change(price: number, size: number, id = 'BTC-USD'): void {
    const one = product(id);
    one.book.apply(price > 1000.5 ? 'ask' : 'bid', price, size);
    one.revision += 1;
  }
  return { relay, open, product, prices, change };
}

test('confirms a subscription and sends the best hundred levels a side as they change', async () => {
  const { open, change, product } = await startRelay();
  const page = await open();

  page.request('subscribe', ['BTC-USD'], ['level2', 'heartbeat']);
  await vi.waitFor(() => expect(page.books.size).toBe(1));
  for (let i = 0; i < 50; i++) {
    change(1000.5 - i / 100, i);
    change(1001 + i, i % 3);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }

  const top = (book: OrderBook | undefined) => [book?.top('bid', 100), book?.top('ask', 100)];
  await vi.waitFor(() => expect(top(page.books.get('BTC-USD'))).toEqual(top(product().book)));
  expect(page.books.get('BTC-USD')?.levelCount('bid')).toBe(100);
  expect(JSON.parse(page.texts[0] ?? '')).toEqual({
    type: 'subscriptions',
    channels: [
      { name: 'level2', product_ids: ['BTC-USD'] },
      { name: 'heartbeat', product_ids: ['BTC-USD'] },
    ],
  });
  expect(page.of('snapshot')).toHaveLength(1);
});

test('sends at most twenty frames a second of a product, whatever the venue sends', async () => {
  const { open, change } = await startRelay({ timing: {} });
  const page = await open();
  page.request('subscribe', ['BTC-USD'], ['level2']);
  await vi.waitFor(() => expect(page.books.size).toBe(1));

  const fromMs = performance.now();
  const changing = setInterval(() => change(1000.5, Math.random() + 1), 1);
  undo.push(() => clearInterval(changing));
  await vi.waitFor(() => expect(page.of('update').length).toBeGreaterThan(10));

  const seconds = (performance.now() - fromMs) / 1000;
  expect(page.of('update').length).toBeLessThanOrEqual(20 * seconds + 2);
});

test('unsubscribes one product alone, and sends a whole book after the next subscription', async () => {
  const { open, change } = await startRelay();
  const page = await open();
  page.request('subscribe', ['BTC-USD', 'ETH-USD'], ['level2']);
  await vi.waitFor(() => expect(page.books.size).toBe(2));

  page.request('unsubscribe', ['BTC-USD'], ['level2']);
  await vi.waitFor(() => expect(page.of('subscriptions')).toHaveLength(2));
  change(1000.5, 1);
  change(1000.5, 1, 'ETH-USD');
  await vi.waitFor(() => expect(page.of('update').map((e) => e.productId)).toEqual(['ETH-USD']));
  page.request('subscribe', ['BTC-USD'], ['level2']);

  await vi.waitFor(() => expect(page.of('snapshot')).toHaveLength(3));
  expect(page.books.get('BTC-USD')?.bestBid?.price).toBe(1000.5);
});

test.each([
  ['{', { message: 'Malformed JSON' }],
  ['[]', { message: 'Message is not an object' }],
  ['{"type":"order"}', { message: 'Type has to be either subscribe or unsubscribe' }],
  ['{"type":"subscribe","product_ids":["BTC-USD"]}', { message: 'No channels provided' }],
  [
    '{"type":"subscribe","product_ids":["BTC-USD"],"channels":[]}',
    { message: 'Failed to subscribe', reason: 'no channels provided' },
  ],
  [
    '{"type":"subscribe","product_ids":"BTC-USD","channels":["level2"]}',
    { message: 'product_ids and channels have to be lists of names' },
  ],
  [
    '{"type":"subscribe","channels":["ticker"]}',
    { message: 'Failed to subscribe', reason: 'no products for channel ticker' },
  ],
  [
    '{"type":"subscribe","product_ids":["BTC-USD"],"channels":["full"]}',
    { message: 'Failed to subscribe', reason: 'full is not a valid channel' },
  ],
  [
    '{"type":"subscribe","product_ids":["BTC-USD","NONE-USD","BTCUSDT.P"],"channels":["level2"]}',
    { message: 'Failed to subscribe', reason: 'NONE-USD, BTCUSDT.P is not a valid product' },
  ],
  [
    '{"type":"subscribe","product_ids":["GC1!"],"channels":["level2"]}',
    { message: 'Failed to subscribe', reason: 'GC1! has no order book' },
  ],
  [
    '{"type":"unsubscribe","product_ids":["NONE-USD"],"channels":["level2"]}',
    { message: 'Failed to unsubscribe', reason: 'NONE-USD is not a valid product' },
  ],
  [
    `{"type":"subscribe","product_ids":[${'"BTC-USD",'.repeat(60)}"BTC-USD"],"channels":["level2"]}`,
    { message: 'product_ids and channels have to be lists of names' },
  ],
  [
    '{"type":"subscribe","product_ids":["__proto__"],"channels":["constructor"]}',
    { message: 'Failed to subscribe', reason: 'constructor is not a valid channel' },
  ],
])("answers wrong request %# with the venue's error", async (text, expected) => {
  const { open, relay } = await startRelay();
  const page = await open();

  page.socket.send(text);

  await vi.waitFor(() => expect(page.texts.map((t) => JSON.parse(t))).toEqual([{ type: 'error', ...expected }]));
  expect(relay.state()).toMatchObject({ wrongRequests: 1, connections: 1 });
});

test('refuses a request with an unconnected product by name, and keeps the page connected', async () => {
  const { open, relay, prices } = await startRelay({ unconnectedIds: ['MSFT'], limits: { firstRequestMs: 200 } });
  const page = await open();

  page.request('subscribe', ['MSFT'], ['ticker', 'heartbeat']);
  page.request('subscribe', ['GC1!', 'MSFT'], ['ticker']);
  page.request('unsubscribe', ['MSFT'], ['ticker']);

  await vi.waitFor(() => expect(page.events).toHaveLength(3));
  const refusal = { kind: 'error', message: 'Failed to subscribe', reason: 'MSFT is not connected' };
  expect(page.events).toEqual([refusal, refusal, { kind: 'subscriptions', channels: [] }]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(page.closeCode).toBeNull();
  expect(relay.state()).toMatchObject({ wrongRequests: 0, staleProducts: [] });
  prices.set('GC1!', aTicker('GC1!', 4000.5));
  page.request('subscribe', ['GC1!'], ['ticker']);
  await vi.waitFor(() => expect(page.of('ticker')).toHaveLength(1));
});

test("accepts a channel's own products besides the common ones, as the venue does", async () => {
  const { open } = await startRelay();
  const page = await open();
  const channels = [{ name: 'level2_batch', product_ids: ['ETH-USD'] }, 'heartbeat'];

  page.socket.send(JSON.stringify({ type: 'subscribe', product_ids: ['BTC-USD'], channels }));

  await vi.waitFor(() => expect(page.of('subscriptions')).toHaveLength(1));
  expect(page.of('subscriptions')[0]?.channels).toEqual([
    { name: 'level2', productIds: ['BTC-USD', 'ETH-USD'] },
    { name: 'heartbeat', productIds: ['BTC-USD'] },
  ]);
});

test('sends `alive` to every page while the venue is unresponsive or all products were refused', async () => {
  const { open, product } = await startRelay({
    unconnectedIds: ['MSFT'],
    timing: { frameMs: 10, heartbeatMs: 20, aliveMs: 20 },
  });
  product().isFresh = false;
  const [reader, refused] = [await open(), await open()];

  reader.request('subscribe', ['BTC-USD'], ['heartbeat']);
  refused.request('subscribe', ['MSFT'], ['ticker']);

  for (const page of [reader, refused]) await vi.waitFor(() => expect(page.of('alive').length).toBeGreaterThan(2));
  expect(reader.of('heartbeat')).toEqual([]);
  expect(refused.of('error')).toHaveLength(1);
});
