import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  advancedSides,
  advancedSubscriptions,
  applyAdvancedUpdates,
  parseAdvancedMessage,
} from './advanced-trade-messages.ts';
import { OrderBook } from './order-book.ts';

const parse = (message: unknown) => parseAdvancedMessage(JSON.stringify(message));
const bid = (price_level: unknown, new_quantity: unknown) => ({
  side: 'bid',
  event_time: 't',
  price_level,
  new_quantity,
});
const offer = (price_level: unknown, new_quantity: unknown) => ({ ...bid(price_level, new_quantity), side: 'offer' });

test('books of several products come in one numbered message; a broken one costs only itself', () => {
  const updates = [bid('1', '2')];
  const events = [
    { type: 'snapshot', product_id: 'BTC-USD', updates },
    { type: 'update', product_id: 'ETH-USD', updates },
  ];

  expect(parse({ channel: 'l2_data', sequence_num: 4, events: [...events, { type: 'x' }, null, 7] })).toEqual({
    kind: 'books',
    sequence: 4,
    malformed: 3,
    books: [
      { isSnapshot: true, productId: 'BTC-USD', updates },
      { isSnapshot: false, productId: 'ETH-USD', updates },
    ],
  });
});

test('a ticker says by how many percent the price has moved; where from is worked out', () => {
  const ticker = {
    ...{ type: 'ticker', product_id: 'BTC-USD', price: '110', volume_24_h: '5', low_24_h: '90', high_24_h: '120' },
    ...{
      price_percent_chg_24_h: '10',
      best_bid: '109',
      best_bid_quantity: '1',
      best_ask: '111',
      best_ask_quantity: '2',
    },
  };
  const message = (row: unknown) =>
    parse({ channel: 'ticker', timestamp: 't', sequence_num: 8, events: [{ tickers: [row] }] });

  expect(message(ticker)).toMatchObject({
    kind: 'tickers',
    malformed: 0,
    tickers: [{ productId: 'BTC-USD', price: 110, open24h: 100, low24h: 90, bestBid: 109, bestAskSize: 2, time: 't' }],
  });
  for (const percent of ['', '-100', '-200', 'NaN', null, '1e3'])
    expect(message({ ...ticker, price_percent_chg_24_h: percent })).toMatchObject({ tickers: [{ open24h: null }] });
  expect(message({ ...ticker, price: '0' })).toMatchObject({ tickers: [], malformed: 1 });
});

test.each([
  [
    { channel: 'heartbeats', sequence_num: 3, events: [] },
    { kind: 'heartbeat', sequence: 3 },
  ],
  [
    { channel: 'subscriptions', sequence_num: 0, events: [] },
    { kind: 'stranger', sequence: 0 },
  ],
  [
    { channel: 'l2_data', sequence_num: 1, events: {} },
    { kind: 'malformed', sequence: 1 },
  ],
  [
    { channel: 'candles', sequence_num: '1' },
    { kind: 'stranger', sequence: null },
  ],
  [
    { type: 'error', message: 'no' },
    { kind: 'error', message: 'no', sequence: null },
  ],
  [[], { kind: 'malformed', sequence: null }],
])('%j', (message, expected) => {
  expect(parse(message)).toEqual(expected);
});

test('rows go to their sides; what is none is counted once', () => {
  const rows = [bid('1', '1'), offer('2', '1'), { ...bid('3', '1'), side: 'ask' }, null, bid('x', '1')];
  const [changed, loaded] = [new OrderBook(), new OrderBook()];

  applyAdvancedUpdates(changed, rows);
  const { bids, asks } = advancedSides(rows);
  loaded.load(bids, asks);

  for (const book of [changed, loaded]) {
    expect([book.bestBid?.price, book.bestAsk?.price, book.rejected]).toEqual([1, 2, 3]);
  }
});

test('each channel wants a subscription of its own, heartbeats among them', () => {
  expect(advancedSubscriptions(['BTC-USD']).map((text) => JSON.parse(text))).toEqual(
    ['level2', 'ticker', 'heartbeats'].map((channel) => ({ type: 'subscribe', product_ids: ['BTC-USD'], channel })),
  );
});

test('no text makes the codec throw', () => {
  const channel = fc.constantFrom('l2_data', 'ticker', 'heartbeats', 'x');
  const message = fc.record({
    channel,
    sequence_num: fc.anything(),
    events: fc.oneof(fc.anything(), fc.array(fc.anything())),
  });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        message.map((m) => JSON.stringify(m) ?? ''),
      ),
      (text) => {
        expect(parseAdvancedMessage(text).kind).toBeTypeOf('string');
      },
    ),
    { numRuns: 1000 },
  );
});
