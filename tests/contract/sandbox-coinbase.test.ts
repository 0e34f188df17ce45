/** What the sandbox sends in the protocol of Coinbase Exchange's socket, read by a bare client. */
import { afterEach, expect, test } from 'vitest';
import { applyChanges } from '#domain/market/book/coinbase-messages.ts';
import { OrderBook } from '#domain/market/book/order-book.ts';
import {
  type SandboxMarket,
  type SandboxMarketOptions,
  startSandboxMarket,
} from '../../sandbox/market/sandbox-market.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { openRawSocket, type RawMessage, type RawSocket } from '../support/wire/raw-socket.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const decimal = expect.stringMatching(/^\d+(\.\d+)?$/);
const microTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const PRODUCTS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD'];
const ofType =
  (type: string, productId = 'BTC-USD') =>
  (message: RawMessage): boolean =>
    message.type === type && message.product_id === productId;

async function start(options: Partial<SandboxMarketOptions> = {}) {
  const clock = movableClock();
  const base = { clock, dataDir: null, speed: 1, seed: 's', startMs: null };
  const sandbox = await startSandboxMarket({ ...base, ...options });
  undo.push(() => sandbox.close());
  return { sandbox, clock, socket: await connect(sandbox) };
}

async function connect(sandbox: SandboxMarket): Promise<RawSocket> {
  const socket = await openRawSocket(sandbox.addresses.coinbase.wsUrl);
  undo.push(() => socket.end());
  return socket;
}

const subscribe = (channels: readonly unknown[], product_ids: readonly string[] = ['BTC-USD']) => ({
  type: 'subscribe',
  product_ids,
  channels,
});

/** Levels by price, as a careful reader stores them. */
function bookOf(messages: readonly RawMessage[], productId = 'BTC-USD'): OrderBook {
  const book = new OrderBook();
  for (const message of messages) {
    if (message.product_id !== productId) continue;
    if (message.type === 'snapshot') book.load(listOf(message.bids), listOf(message.asks));
    if (message.type === 'l2update') applyChanges(book, listOf(message.changes));
  }
  return book;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

test('confirms a subscription, then sends the whole book, the ticker and a heartbeat each second', async () => {
  const { socket } = await start();

  socket.send(subscribe(['level2_batch', 'ticker', { name: 'heartbeat', product_ids: ['ETH-USD'] }]));

  const snapshot = await socket.received(ofType('snapshot'));
  const ticker = await socket.received(ofType('ticker'));
  const heartbeat = await socket.received(ofType('heartbeat', 'ETH-USD'));
  expect(socket.messages[0]).toEqual({
    type: 'subscriptions',
    channels: [
      { name: 'level2_batch', product_ids: ['BTC-USD'] },
      { name: 'ticker', product_ids: ['BTC-USD'] },
      { name: 'heartbeat', product_ids: ['BTC-USD', 'ETH-USD'] },
    ],
  });
  expect(Object.keys(snapshot)).toEqual(['type', 'product_id', 'bids', 'asks']);
  expect(listOf(snapshot.bids).length).toBeGreaterThanOrEqual(400);
  expect(listOf(snapshot.asks).length).toBeGreaterThanOrEqual(400);
  expect(listOf(snapshot.asks)[0]).toEqual([decimal, decimal]);
  expect(ticker).toEqual({
    type: 'ticker',
    sequence: expect.any(Number),
    product_id: 'BTC-USD',
    price: decimal,
    open_24h: decimal,
    volume_24h: decimal,
    low_24h: decimal,
    high_24h: decimal,
    volume_30d: decimal,
    best_bid: listOf(listOf(snapshot.bids)[0])[0],
    best_bid_size: listOf(listOf(snapshot.bids)[0])[1],
    best_ask: listOf(listOf(snapshot.asks)[0])[0],
    best_ask_size: listOf(listOf(snapshot.asks)[0])[1],
    side: expect.stringMatching(/^(buy|sell)$/),
    time: microTime,
    trade_id: expect.any(Number),
    last_size: decimal,
  });
  expect(heartbeat).toEqual({
    type: 'heartbeat',
    sequence: expect.any(Number),
    last_trade_id: expect.any(Number),
    product_id: 'ETH-USD',
    time: microTime,
  });
  const count = socket.messages.length;
  await socket.received(ofType('heartbeat'), count);
});

test("sends updates that lead from the first snapshot to a later reader's, never crossed", async () => {
  const { sandbox, clock, socket } = await start();
  socket.send(subscribe(['level2_batch', 'ticker'], PRODUCTS));
  await socket.received(ofType('ticker', 'DOGE-USD'));

  for (let i = 0; i < 12; i++) {
    const from = socket.messages.length;
    clock.ms += 700 + 1300 * i;
    for (const id of PRODUCTS) await socket.received(ofType('l2update', id), from);
    for (const id of PRODUCTS) expect(bookOf(socket.messages, id).isCrossed).toBe(false);
  }
  const later = await connect(sandbox);
  later.send(subscribe(['level2_batch'], PRODUCTS));
  await later.received(ofType('snapshot', 'DOGE-USD'));

  for (const id of PRODUCTS) {
    const book = bookOf(socket.messages, id);
    const fresh = bookOf(later.messages, id);
    expect(book.rejected).toBe(0);
    expect(book.levelCount('bid')).toBeGreaterThanOrEqual(400);
    expect(book.top('bid', 1000)).toEqual(fresh.top('bid', 1000));
    expect(book.top('ask', 1000)).toEqual(fresh.top('ask', 1000));
  }
  expect(await socket.received(ofType('l2update'))).toEqual({
    type: 'l2update',
    product_id: 'BTC-USD',
    changes: expect.arrayContaining([[expect.stringMatching(/^(buy|sell)$/), decimal, decimal]]),
    time: microTime,
  });
  const sizes = socket.messages.flatMap((message) => listOf(message.changes)).map((change) => listOf(change)[2]);
  expect(sizes).toContain('0');
});

test('reports the same price in ticker, order book and open candle', async () => {
  const { sandbox, clock, socket } = await start();
  socket.send(subscribe(['level2_batch', 'ticker']));
  await socket.received(ofType('ticker'));

  for (const laterMs of [5000, 17_000, 3000, 40_000]) {
    const from = socket.messages.length;
    clock.ms += laterMs;
    const newest: RawMessage = await (
      await fetch(`${sandbox.addresses.coinbase.restUrl}/products/BTC-USD/ticker`)
    ).json();
    const ticker = await socket.received((message) => message.trade_id === newest.trade_id, from);
    const klines = await fetch(
      `${sandbox.addresses.binance.restUrl}/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=1`,
    );
    const rows: string[][] = await klines.json();

    expect(ticker.price).toBe(rows[0]?.[4]);
    expect(Date.parse(String(ticker.time))).toBeLessThanOrEqual(clock.ms);
    const book = bookOf(socket.messages);
    const best = [book.bestBid?.price, book.bestAsk?.price].map(String);
    expect([ticker.best_bid, ticker.best_ask]).toEqual(best);
    expect(best).toContain(ticker.price);
  }
});

test("sends a ticker for every trade, however far the clock moves; a minute's make its candle", async () => {
  const { sandbox, clock, socket } = await start();
  socket.send(subscribe(['ticker']));
  await socket.received(ofType('ticker'));
  for (const laterMs of [45_000, 150_000, 130_000]) {
    clock.ms += laterMs;
    const product = `${sandbox.addresses.coinbase.restUrl}/products/BTC-USD`;
    const newest: RawMessage = await (await fetch(`${product}/ticker`)).json();
    await socket.received((message) => message.trade_id === newest.trade_id);
  }

  const url = `${sandbox.addresses.binance.restUrl}/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=6`;
  const klines: [number, ...string[]][] = await (await fetch(url)).json();

  const tickers = socket.messages.filter(ofType('ticker'));
  const whole = klines.slice(1, -1);
  const candles = whole.map(([startMs]) => {
    const own = tickers.filter(({ time }) => Math.floor(Date.parse(String(time)) / 60_000) * 60_000 === startMs);
    const prices = own.map(({ price }) => Number(price));
    const volume = own.reduce((sum, { last_size }) => sum + Math.round(Number(last_size) * 1e8), 0);
    return [startMs, prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1), volume];
  });
  expect(candles).toEqual(
    whole.map(([startMs, ...texts]) => {
      const [open, high, low, close, volume = Number.NaN] = texts.map(Number);
      return [startMs, open, high, low, close, Math.round(volume * 1e8)];
    }),
  );
  expect(candles).toHaveLength(4);
});

const failed = (reason: string) => ({ type: 'error', message: 'Failed to subscribe', reason });

test('refuses the channels that need a signature, and a whole subscription for one wrong part', async () => {
  const { socket } = await start();
  const refusals: readonly (readonly [unknown, unknown])[] = [
    [
      subscribe(['heartbeat', 'level2']),
      failed(
        'level2, level3, and full channels now require authentication. https://docs.cloud.coinbase.com/exchange/docs/websocket-auth',
      ),
    ],
    [subscribe(['ticker'], ['BTC-USD', 'XYZ-USD']), failed('XYZ-USD is not a valid product')],
    [subscribe(['candles']), failed('candles is not a valid channel')],
    [subscribe(['ticker'], []), failed('You need to specify at least one product ID for channel ticker')],
    [subscribe([]), failed('No channels provided')],
    ...['{', '[]', '7', 'null', '{"type":"buy"}', '{"type":"subscribe","product_ids":7}'].map(
      (text) => [text, { type: 'error', message: expect.any(String) }] as const,
    ),
  ];

  for (const [request] of refusals) socket.send(request);
  await socket.received(() => socket.messages.length >= refusals.length);

  // An accepted subscription would have been acknowledged, and followed by a book.
  expect(socket.messages).toEqual(refusals.map(([, expected]) => expected));
});
