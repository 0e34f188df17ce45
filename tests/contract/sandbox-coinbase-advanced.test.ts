/** What the sandbox sends in the protocol of Coinbase Advanced Trade's socket, read by a bare client. */
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { OrderBook } from '#domain/market/book/order-book.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { openRawSocket, type RawMessage, type RawSocket } from '../support/wire/raw-socket.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const decimal = expect.stringMatching(/^-?\d+(\.\d+)?$/);
const microTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const onChannel =
  (channel: string) =>
  (message: RawMessage): boolean =>
    message.channel === channel;
const subscribe = (channel: string, product_ids: readonly string[] = ['BTC-USD']) => ({
  type: 'subscribe',
  product_ids,
  channel,
});

async function start() {
  const clock = movableClock();
  const sandbox = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 's', startMs: null });
  undo.push(() => sandbox.close());
  const connect = async (): Promise<RawSocket> => {
    const socket = await openRawSocket(sandbox.addresses.coinbase.advancedWsUrl);
    undo.push(() => socket.end());
    return socket;
  };
  return { sandbox, clock, connect, socket: await connect() };
}

const bookEventSchema = z.object({
  events: z.array(
    z.object({
      type: z.enum(['snapshot', 'update']),
      product_id: z.string(),
      updates: z.array(
        z.object({
          side: z.enum(['bid', 'offer']),
          event_time: z.string(),
          price_level: z.string(),
          new_quantity: z.string(),
        }),
      ),
    }),
  ),
});

function bookOf(messages: readonly RawMessage[]): OrderBook {
  const book = new OrderBook();
  for (const message of messages.filter(onChannel('l2_data'))) {
    for (const { type, updates } of bookEventSchema.parse(message).events) {
      if (type === 'snapshot') book.clear();
      for (const { side, price_level, new_quantity } of updates)
        book.apply(side === 'bid' ? 'bid' : 'ask', price_level, new_quantity);
    }
  }
  return book;
}

test('sends a whole book, then changes, and numbers every message of a connection', async () => {
  const { clock, connect, socket } = await start();

  socket.send(subscribe('level2'));
  socket.send(subscribe('ticker'));
  socket.send({ type: 'subscribe', channel: 'heartbeats' });
  await socket.heard(onChannel('heartbeats'));
  for (let i = 0; i < 6; i++) {
    const from = socket.messages.length;
    clock.ms += 900 + 2000 * i;
    await socket.heard(onChannel('l2_data'), from);
  }
  const later = await connect();
  later.send(subscribe('level2'));
  await later.heard(onChannel('l2_data'));

  expect(socket.messages.map((message) => message.sequence_num)).toEqual(socket.messages.map((_, i) => i));
  const [snapshot] = socket.messages;
  expect(snapshot).toEqual({
    channel: 'l2_data',
    timestamp: microTime,
    sequence_num: 0,
    events: [{ type: 'snapshot', product_id: 'BTC-USD', updates: expect.any(Array) }],
  });
  const [event] = bookEventSchema.parse(snapshot).events;
  expect(event?.updates.length).toBeGreaterThanOrEqual(800);
  expect(event?.updates[0]).toEqual({
    side: 'bid',
    event_time: microTime,
    price_level: decimal,
    new_quantity: decimal,
  });
  const kept = bookOf(socket.messages);
  expect(kept.isCrossed).toBe(false);
  expect(kept.top('bid', 1000)).toEqual(bookOf(later.messages).top('bid', 1000));
  expect(kept.top('ask', 1000)).toEqual(bookOf(later.messages).top('ask', 1000));
});

test("sends subscriptions, ticker and heartbeats in the service's shapes", async () => {
  const { clock, socket } = await start();

  socket.send(subscribe('ticker', ['BTC-USDC', 'ETH-USD']));
  socket.send({ type: 'subscribe', channel: 'heartbeats' });

  const heartbeat = await socket.heard(onChannel('heartbeats'));
  const tickers = socket.messages.filter(onChannel('ticker'));
  const told = socket.messages.filter(onChannel('subscriptions'));
  expect(told.map((message) => message.events)).toEqual([
    [{ subscriptions: { ticker: ['BTC-USD', 'ETH-USD'] } }],
    [{ subscriptions: { ticker: ['BTC-USD', 'ETH-USD'], heartbeats: ['heartbeats'] } }],
  ]);
  expect(tickers[0]?.events).toEqual([
    {
      type: 'snapshot',
      tickers: [
        {
          type: 'ticker',
          product_id: 'BTC-USD',
          price: decimal,
          volume_24_h: decimal,
          low_24_h: decimal,
          high_24_h: decimal,
          price_percent_chg_24_h: decimal,
          best_bid: decimal,
          best_bid_quantity: decimal,
          best_ask: decimal,
          best_ask_quantity: decimal,
        },
      ],
    },
  ]);
  expect(heartbeat.events).toEqual([{ current_time: expect.any(String), heartbeat_counter: expect.any(Number) }]);
  const from = socket.messages.length;
  clock.ms += 30_000;
  const update = await socket.heard(onChannel('ticker'), from);
  expect(update.events).toMatchObject([{ type: 'update' }]);
});

test('leaves a gap in the numbers for a lost message', async () => {
  const { sandbox, clock, socket } = await start();
  socket.send(subscribe('level2'));
  await socket.heard(onChannel('subscriptions'));

  sandbox.faults.add({ part: 'stream', dialect: 'coinbase-advanced', what: 'gap', product: 'BTC-USD', count: 1 });
  clock.ms += 2000;
  await expect.poll(() => sandbox.faults.list(), { timeout: WAIT_MS }).toEqual([]);
  const from = socket.messages.length;
  clock.ms += 2000;
  const next = await socket.heard(onChannel('l2_data'), from);

  expect(socket.messages.slice(0, from).map((message) => message.sequence_num)).toEqual([0, 1]);
  expect(next.sequence_num).toBe(3);
});

test('refuses a request as a whole for one wrong part, without a number', async () => {
  const { socket } = await start();
  const refusals: readonly (readonly [unknown, string])[] = [
    ['{', 'failed to parse the request'],
    [{ type: 'subscribe' }, 'type, channel and product_ids are expected'],
    [subscribe('full'), 'full is not a valid channel'],
    [subscribe('level2', []), 'product_ids are missing'],
    [subscribe('level2', ['BTC-USD', 'XYZ-USD']), 'XYZ-USD is not a valid product'],
  ];

  for (const [request] of refusals) socket.send(request);
  await socket.heard(() => socket.messages.length >= refusals.length);

  expect(socket.messages).toEqual(refusals.map(([, message]) => ({ type: 'error', message })));
});

test('sends nothing more about a product after unsubscribing', async () => {
  const { clock, socket } = await start();
  socket.send(subscribe('level2', ['BTC-USD', 'ETH-USD']));
  await socket.heard(onChannel('subscriptions'));

  const from = socket.messages.length;
  socket.send({ type: 'unsubscribe', product_ids: ['BTC-USD'], channel: 'level2' });
  const told = await socket.heard(onChannel('subscriptions'), from);
  clock.ms += 5000;
  await socket.heard(onChannel('l2_data'), from);

  expect(told.events).toEqual([{ subscriptions: { level2: ['ETH-USD'] } }]);
  expect(JSON.stringify(socket.messages.slice(from))).not.toContain('BTC-USD');
});
