import { expect, test } from 'vitest';
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import { BOOK_TIMING, ProductBook } from './product-book.ts';

const aTicker = (bestBid: number | null, bestAsk: number | null): TickerEvent => ({
  kind: 'ticker',
  productId: 'BTC-USD',
  price: 100,
  open24h: null,
  high24h: null,
  low24h: null,
  volume24h: null,
  bestBid,
  bestBidSize: 1,
  bestAsk,
  bestAskSize: 1,
  lastSize: null,
  side: null,
  sequence: 1,
  tradeId: 1,
  time: '',
});

/** A book loaded at zero, bid 100 against ask 101, with a heartbeat at zero. */
function aBook(): ProductBook {
  const product = new ProductBook(BOOK_TIMING, 0);
  product.load([[100, 1]], [[101, 1]], 0);
  product.heartbeat(0);
  return product;
}

const bid = (product: ProductBook, price: number, size: number, atMs: number) =>
  product.update((book) => book.apply('bid', price, size), atMs);

test('is fresh for 5 s after a heartbeat, and reports silence after 15 s', () => {
  const product = aBook();

  expect([product.isFresh(5000), product.isFresh(5001)]).toEqual([true, false]);
  expect([product.fault(15_000), product.fault(15_001)]).toEqual([null, 'unresponsive']);
  product.heartbeat(15_001);
  expect([product.isFresh(15_002), product.fault(15_002)]).toEqual([true, null]);
});

test('is stale while heartbeats arrive over 5 s late, and is reported once none was timely for 15 s', () => {
  const product = aBook();
  for (let atMs = 1000; atMs <= 15_000; atMs += 1000) product.heartbeat(atMs, 1, 5001);

  expect([product.isFresh(15_000), product.idleMs(15_000)]).toEqual([false, 5001]);
  expect([product.fault(15_000), product.fault(15_001)]).toEqual([null, 'unresponsive']);
  product.heartbeat(15_001, 1, 4000);
  expect([product.isFresh(15_001), product.isFresh(16_002), product.fault(16_002)]).toEqual([true, false, null]);
});

test('is unsound immediately when crossed, and reports it after 1 s unless repaired before', () => {
  const product = aBook();
  bid(product, 101, 1, 100);
  expect([product.isSound, product.isFresh(100), product.fault(1100), product.fault(1101)]).toEqual([
    false,
    false,
    null,
    'crossed',
  ]);

  bid(product, 101, 0, 1101);
  bid(product, 102, 1, 1200);

  expect([product.fault(2200), product.fault(2201)]).toEqual([null, 'crossed']);
});

test('reports a missing snapshot 15 s after connecting', () => {
  const product = aBook();

  product.reset(20_000);

  expect([product.isSound, product.book.levelCount('bid')]).toEqual([false, 0]);
  expect([product.fault(35_000), product.fault(35_001)]).toEqual([null, 'missing']);
});

test('reports disagreement once tickers contradict the best price for 2 s', () => {
  const product = aBook();

  for (const atMs of [1000, 1500, 3000]) product.applyTicker(aTicker(99, 101), atMs);

  expect([product.fault(3000), product.fault(3001)]).toEqual([null, 'disagreed']);
});

test('ignores a single contradicting ticker, whose price may have lasted less than a batch', () => {
  const product = aBook();

  product.applyTicker(aTicker(99, 101), 1000);

  expect(product.fault(10_000)).toBeNull();
});

test('accepts tickers that match the best price of the last 2 s, or a later one', () => {
  const late = aBook();
  bid(late, 100.5, 1, 9000);
  for (const atMs of [9500, 11_000, 11_600]) late.applyTicker(aTicker(100, 101), atMs);
  const early = aBook();
  for (const atMs of [1000, 2000]) early.applyTicker(aTicker(100.5, 101), atMs);
  bid(early, 100.5, 1, 2500);

  // The last ticker came more than two seconds after the change, and contradicts only from then on.
  expect(late.fault(12_000)).toBeNull();
  expect(early.fault(9000)).toBeNull();
});

test('ignores the best prices of a ticker when they cross or are unknown', () => {
  const product = aBook();

  for (const atMs of [1000, 2000, 4000]) {
    product.applyTicker(aTicker(200, 150), atMs);
    product.applyTicker(aTicker(null, 150), atMs);
  }

  expect(product.fault(4000)).toBeNull();
  product.applyTicker(aTicker(200, 150), 4000);
  expect(product.ticker).toMatchObject({ price: 100, bestBid: null, bestAsk: null });
});

test('doubles the tolerated time after each fault, until the book was sound for half a minute', () => {
  const product = aBook();
  const crossedFor = (limitMs: number, atMs: number) => {
    product.load([[200, 1]], [[101, 1]], atMs);
    const faults = [product.fault(atMs + limitMs), product.fault(atMs + limitMs + 1)];
    product.penalize();
    product.reset(atMs + limitMs + 1);
    return faults;
  };

  for (const [i, limitMs] of [1000, 2000, 4000].entries())
    expect(crossedFor(limitMs, i * 10_000)).toEqual([null, 'crossed']);
  product.load([[100, 1]], [[101, 1]], 40_000);
  for (let atMs = 40_000; atMs <= 71_000; atMs += 1000) {
    product.heartbeat(atMs);
    expect(product.fault(atMs)).toBeNull();
  }

  expect(crossedFor(1000, 72_000)).toEqual([null, 'crossed']);
});
