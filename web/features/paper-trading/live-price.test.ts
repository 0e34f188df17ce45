import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFeedMessage } from '#domain/market/book/coinbase-messages.ts';
import { heartbeat, ticker } from '../../platform/testing/fake-live.ts';
import { createLivePrice, FRESH_MS, HISTORY_MS, type LivePrice } from './live-price.ts';

const BTC = 'BTC-USD';

function take(price: LivePrice, message: object, atMs: number): void {
  price.take(parseFeedMessage(JSON.stringify(message)), atMs);
}

const trade = (price: number, bid: number, ask: number) =>
  ticker(BTC, String(price), { best_bid: String(bid), best_ask: String(ask), open_24h: '80' });

test('takes the first trade as the price, to the digit', () => {
  const price = createLivePrice();
  expect(price.priceAt(0)).toBeNull();

  take(price, trade(101, 99, 101), 10);

  expect(price.priceAt(10)).toBe(101);
  expect(price.change24h()).toBe(101 / 80 - 1);
});

test('moves the offset by 0.35 of the way on a trade on the other side of the middle', () => {
  const price = createLivePrice();
  take(price, trade(101, 99, 101), 0);

  take(price, trade(99, 99, 101), 1);

  // Offsets +1, then -1: 1 + 0.35 * (-2).
  expect(price.priceAt(1)).toBeCloseTo(100.3, 9);
});

test('takes the last trade as the price without bid and ask', () => {
  const price = createLivePrice();
  take(price, trade(101, 99, 101), 0);

  take(price, ticker(BTC, '50'), 1);
  take(price, trade(40, 45, 44), 2);

  expect(price.points().map((point) => point.price)).toEqual([101, 50, 40]);
});

test('confirms the price by a heartbeat, and drops it after five seconds without a sign of life', () => {
  const price = createLivePrice();
  take(price, heartbeat(BTC), 0);
  expect(price.priceAt(0)).toBeNull();
  take(price, ticker(BTC, '100'), 0);
  take(price, heartbeat(BTC), 4000);

  expect(price.priceAt(4000 + FRESH_MS)).toBe(100);
  expect(price.priceAt(4001 + FRESH_MS)).toBeNull();
  expect(price.priceAt(2000)).toBe(100);
  expect(price.priceAt(-1)).toBeNull();
});

test('confirms the price for the venue’s time of a heartbeat, not for when it was passed on', () => {
  const price = createLivePrice();
  take(price, ticker(BTC, '100'), 0);

  for (const silent_ms of [500, 1500, 2500, 3500, 4500])
    take(price, { ...heartbeat(BTC), silent_ms }, 1000 + silent_ms);

  expect(price.priceAt(6000)).toBe(100);
  expect(price.priceAt(6001)).toBeNull();
  expect(price.points().map(({ atMs }) => atMs)).toEqual([0, 1000]);
});

test('confirms nothing by a heartbeat that knows of a newer trade, until that trade arrives', () => {
  const price = createLivePrice();
  take(price, ticker(BTC, '100', { trade_id: 7 }), 0);
  for (let s = 1; s <= 8; s++) take(price, { ...heartbeat(BTC), last_trade_id: 8 }, s * 1000);

  expect(price.priceAt(FRESH_MS)).toBe(100);
  expect(price.priceAt(FRESH_MS + 1)).toBeNull();
  expect(price.quote()?.price).toBe(100);
  take(price, ticker(BTC, '101', { trade_id: 8 }), 8001);
  take(price, { ...heartbeat(BTC), last_trade_id: 8 }, 13_000);

  expect(price.priceAt(13_000)).toBe(101);
});

test('confirms a price from candles by heartbeats alone, and in a closed market by nothing', () => {
  const price = createLivePrice();
  const origin = { source: 'Databento', delay_s: 900, is_open: true, trade_id: 0 };
  const beat = { ...heartbeat('MSFT'), last_trade_id: 0 };
  take(price, ticker('MSFT', '400', origin), 0);
  expect(price.priceAt(0)).toBeNull();
  take(price, beat, 500);
  take(price, ticker('MSFT', '401', origin), 700);
  expect([price.priceAt(500), price.priceAt(700)]).toEqual([400, 401]);

  take(price, ticker('MSFT', '402', { ...origin, is_open: false }), 800);
  take(price, beat, 10_000);

  expect(price.priceAt(10_000)).toBeNull();
  expect(price.quote()).toEqual({
    price: 402,
    time: '2026-01-01T00:00:00Z',
    origin: { source: 'Databento', delayS: 900, isOpen: false },
  });
});

test('confirms nothing by heartbeats after a break until the next trade', () => {
  const price = createLivePrice();
  take(price, ticker(BTC, '100'), 0);
  price.break();

  take(price, heartbeat(BTC), 6000);
  expect(price.priceAt(6000)).toBeNull();
  take(price, ticker(BTC, '90'), 6001);

  expect(price.priceAt(6001)).toBe(90);
});

test('limits the history to sixty seconds and to the prices that were traded', () => {
  const step = fc.record({ waitMs: fc.integer({ min: 0, max: 9000 }), price: fc.integer({ min: 1, max: 1000 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const price = createLivePrice();
      let nowMs = 0;
      for (const { waitMs, price: traded } of steps) {
        nowMs += waitMs;
        take(price, ticker(BTC, String(traded)), nowMs);
      }

      const points = price.points();
      expect(points.at(-1)).toEqual({ atMs: nowMs, price: steps.at(-1)?.price });
      for (const point of points) expect(point.atMs).toBeGreaterThanOrEqual(nowMs - HISTORY_MS);
      expect(points.map(({ atMs }) => atMs)).toEqual(points.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
    }),
  );
});
