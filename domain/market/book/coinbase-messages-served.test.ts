import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges, parseFeedMessage, type TickerEvent } from './coinbase-messages.ts';
import {
  candlesText,
  errorText,
  heartbeatText,
  parseFeedRequest,
  snapshotText,
  subscriptionsText,
  tickerText,
  updateText,
} from './coinbase-messages-served.ts';
import { OrderBook } from './order-book.ts';

const price = fc.double({ min: 1e-8, max: 1e9, noNaN: true });
const size = fc.double({ min: 1e-8, max: 1e9, noNaN: true });

test('writes levels that read back to the last bit, however small or large', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.record({ price, size }), { selector: (l) => l.price }), (levels) => {
      const [loaded, changed] = [new OrderBook(), new OrderBook()];

      const snapshot = parseFeedMessage(snapshotText('BTC-USD', levels, levels));
      const update = parseFeedMessage(
        updateText(
          'a "b"',
          levels.map((l) => ({ side: 'ask', ...l })),
          't',
        ),
      );
      if (snapshot.kind === 'snapshot') loaded.load(snapshot.bids, snapshot.asks);
      if (update.kind === 'update') applyChanges(changed, update.changes);

      const sorted = levels.toSorted((a, b) => a.price - b.price);
      expect(loaded.top('ask', 1000)).toEqual(sorted);
      expect(loaded.top('bid', 1000)).toEqual(sorted.toReversed());
      expect(changed.top('ask', 1000)).toEqual(sorted);
      expect(update).toMatchObject({ productId: 'a "b"', time: 't' });
    }),
  );
});

test('writes candles that read back', () => {
  const candle = { time: 60, open: 2e-8, high: 3e-8, low: 1e-8, close: 2.5e-8, volume: 1e12 };
  const event = { kind: 'candles', productId: 'PEPEUSDT', closed: candle, forming: { ...candle, time: 120 } } as const;
  expect(parseFeedMessage(candlesText(event))).toEqual(event);
  expect(parseFeedMessage(candlesText({ ...event, forming: null }))).toEqual({ ...event, forming: null });
});

test('writes ticker, heartbeat, acknowledgement and error that read back, without unknown figures', () => {
  const ticker: TickerEvent = {
    kind: 'ticker',
    productId: 'DOGE-USD',
    price: 1.5e-7,
    open24h: null,
    high24h: 2,
    low24h: 0,
    volume24h: 1e21,
    bestBid: 1,
    bestBidSize: 2,
    bestAsk: null,
    bestAskSize: null,
    lastSize: 3,
    side: null,
    sequence: 1,
    tradeId: 2,
    time: 't',
  };
  const heartbeat = { product_id: 'x', sequence: 1, last_trade_id: 2, time: 't' };

  expect(parseFeedMessage(tickerText({ ...ticker, volume24h: 5 }))).toEqual({ ...ticker, volume24h: 5 });
  expect(JSON.parse(tickerText(ticker))).not.toHaveProperty('open_24h');
  expect(JSON.parse(tickerText(ticker))).not.toHaveProperty('source');
  const candleTicker = { ...ticker, volume24h: 5, origin: { source: 'Databento', delayS: 900, isOpen: false } };
  expect(parseFeedMessage(tickerText(candleTicker))).toEqual(candleTicker);
  expect(parseFeedMessage(heartbeatText(heartbeat))).toMatchObject({
    kind: 'heartbeat',
    productId: 'x',
    lastTradeId: 2,
  });
  expect(parseFeedMessage(subscriptionsText([{ name: 'a', product_ids: ['b'] }]))).toMatchObject({
    kind: 'subscriptions',
  });
  expect(JSON.parse(errorText('m'))).toEqual({ type: 'error', message: 'm' });
  expect(JSON.parse(errorText('m', 'r'))).toEqual({ type: 'error', message: 'm', reason: 'r' });
});

test('parses a request by channel; common products count for each', () => {
  const channels = ['ticker', { name: 'level2', product_ids: ['ETH-USD', 'BTC-USD'] }];

  expect(parseFeedRequest(JSON.stringify({ type: 'subscribe', product_ids: ['BTC-USD'], channels, key: 'k' }))).toEqual(
    {
      type: 'subscribe',
      channels: [
        { name: 'ticker', productIds: ['BTC-USD'] },
        { name: 'level2', productIds: ['BTC-USD', 'ETH-USD'] },
      ],
    },
  );
  expect(parseFeedRequest('{"type":"unsubscribe","product_ids":["BTC-USD"]}')).toMatchObject({
    channels: { length: 4 },
  });
});

test('never throws on any text, and bounds what it accepts', () => {
  const many = Array.from({ length: 51 }, () => 'BTC-USD');
  expect(parseFeedRequest(JSON.stringify({ type: 'subscribe', product_ids: many, channels: [] }))).toBeTypeOf('string');
  expect(
    parseFeedRequest(JSON.stringify({ type: 'subscribe', product_ids: ['x'.repeat(25)], channels: [] })),
  ).toBeTypeOf('string');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(['string', 'object']).toContain(typeof parseFeedRequest(text));
    }),
  );
});
