import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges, parseFeedMessage, requestText } from './coinbase-messages.ts';
import { OrderBook } from './order-book.ts';

const parse = (message: unknown) => parseFeedMessage(JSON.stringify(message));

test.each([
  [
    { type: 'snapshot', product_id: 'BTC-USD', bids: [['1', '2']], asks: [] },
    { kind: 'snapshot', productId: 'BTC-USD', bids: [['1', '2']], asks: [], ageMs: null },
  ],
  [
    { type: 'l2update', product_id: 'BTC-USD', time: 't', changes: [['buy', '1', '2']] },
    { kind: 'update', productId: 'BTC-USD', time: 't', changes: [['buy', '1', '2']] },
  ],
  [
    { type: 'heartbeat', product_id: 'BTC-USD', sequence: 5, last_trade_id: 6, time: 't' },
    { kind: 'heartbeat', productId: 'BTC-USD', sequence: 5, lastTradeId: 6, time: 't' },
  ],
  [
    { type: 'heartbeat', product_id: 'BTC-USD', sequence: 5, last_trade_id: 6, time: 't', silent_ms: 2500 },
    { kind: 'heartbeat', productId: 'BTC-USD', sequence: 5, lastTradeId: 6, time: 't', idleMs: 2500 },
  ],
  [
    { type: 'heartbeat', product_id: 'BTC-USD', sequence: 5, last_trade_id: 6, time: 't', silent_ms: -1 },
    { kind: 'heartbeat', productId: 'BTC-USD', sequence: 5, lastTradeId: 6, time: 't' },
  ],
  [
    {
      type: 'heartbeat',
      product_id: 'BTC',
      sequence: 5,
      last_trade_id: 0,
      time: 't',
      market_time: '2026-01-01T00:00Z',
    },
    { kind: 'heartbeat', productId: 'BTC', sequence: 5, lastTradeId: 0, time: 't', marketMs: 1_767_225_600_000 },
  ],
  [
    { type: 'candles', product_id: 'BTC', closed: [60, 1, 4, 2, 3, 5], forming: null },
    {
      kind: 'candles',
      productId: 'BTC',
      forming: null,
      closed: { time: 60, low: 1, high: 4, open: 2, close: 3, volume: 5 },
    },
  ],
  [
    // Neither out of order nor between two minutes.
    { type: 'candles', product_id: 'BTC', closed: [60, 4, 1, 2, 3, 5], forming: [61, 1, 4, 2, 3, 5] },
    { kind: 'malformed' },
  ],
  [
    { type: 'subscriptions', channels: [{ name: 'ticker', product_ids: ['BTC-USD'] }] },
    { kind: 'subscriptions', channels: [{ name: 'ticker', productIds: ['BTC-USD'] }] },
  ],
  [
    { type: 'error', message: 'Failed to subscribe', reason: 'no' },
    { kind: 'error', message: 'Failed to subscribe', reason: 'no' },
  ],
])('parses %j', (message, expected) => {
  expect(parse(message)).toEqual(expected);
});

test('reads a ticker whole; invalid figures are unknown, an invalid price makes it no ticker', () => {
  const ticker = {
    type: 'ticker',
    product_id: 'BTC-USD',
    sequence: 9,
    price: '63521.10',
    open_24h: '63000',
    volume_24h: '1e3',
    low_24h: '',
    high_24h: '64000.5',
    best_bid: '63521.09',
    best_bid_size: '0.5',
    best_ask: '-1',
    side: 'sell',
    time: 't',
    trade_id: 4,
    last_size: null,
    volume_30d: '1',
  };

  expect(parse(ticker)).toEqual({
    kind: 'ticker',
    productId: 'BTC-USD',
    sequence: 9,
    price: 63521.1,
    open24h: 63000,
    volume24h: null,
    low24h: null,
    high24h: 64000.5,
    bestBid: 63521.09,
    bestBidSize: 0.5,
    bestAsk: null,
    bestAskSize: null,
    side: 'sell',
    time: 't',
    tradeId: 4,
    lastSize: null,
  });
  for (const price of ['', '0', 'NaN', '-1', '1e400', null, undefined]) {
    expect(parse({ ...ticker, price })).toEqual({ kind: 'malformed' });
  }
});

test('reports other types as ignored, and invalid messages as malformed', () => {
  for (const type of ['status', 'match', 'l3', '']) expect(parse({ type, product_id: 'BTC-USD' }).kind).toBe('ignored');
  for (const text of ['', '{', '7', 'null', '[]', '{}', '{"type":7}', '<html>'])
    expect(parseFeedMessage(text).kind).toBe('malformed');
  for (const type of ['snapshot', 'l2update', 'ticker', 'heartbeat']) expect(parse({ type }).kind).toBe('malformed');
  expect(parse({ type: 'snapshot', product_id: 'x', bids: {}, asks: [] }).kind).toBe('malformed');
  expect(parse({ type: 'l2update', product_id: 'x', changes: null }).kind).toBe('malformed');
});

test('applies changes one by one, and counts invalid ones', () => {
  const book = new OrderBook();

  applyChanges(book, [['buy', '1', '1'], ['sell', '3', '1'], ['buy', '1', '2'], ['hold', '1', '1'], null, ['buy']]);

  expect([book.top('bid', 9), book.top('ask', 9)]).toEqual([[{ price: 1, size: 2 }], [{ price: 3, size: 1 }]]);
  expect(book.rejected).toBe(3);
});

test('never throws on any text', () => {
  const name = fc.constantFrom('type', 'product_id', 'changes', 'bids', 'asks', 'channels', 'price', 'message');
  const value = fc.oneof(
    fc.anything(),
    fc.constantFrom('snapshot', 'l2update', 'ticker', 'heartbeat', 'subscriptions', 'error'),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.dictionary(name, value).map((m) => JSON.stringify(m) ?? ''),
      ),
      (text) => {
        const event = parseFeedMessage(text);
        if (event.kind === 'update') applyChanges(new OrderBook(), event.changes);
        if (event.kind === 'snapshot') new OrderBook().load(event.bids, event.asks);
        expect(event.kind).toBeTypeOf('string');
      },
    ),
    { numRuns: 1000 },
  );
});

test('writes a request that the venue reads', () => {
  expect(JSON.parse(requestText('subscribe', ['BTC-USD'], ['level2', 'heartbeat']))).toEqual({
    type: 'subscribe',
    product_ids: ['BTC-USD'],
    channels: ['level2', 'heartbeat'],
  });
});
