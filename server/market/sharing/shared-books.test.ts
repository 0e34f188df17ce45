import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import { OrderBook } from '#domain/market/book/order-book.ts';
import type { BookCounters, BookSource } from '../books/book-source.ts';
import { aBus, aProcess } from '../testing/shared-market-fixture.ts';
import { booksSubject } from './book-messages.ts';
import { openSharedBooks } from './shared-books.ts';

const PRODUCT = 'BTC-USD';
const ended = new AbortController();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const TICKER: TickerEvent = {
  kind: 'ticker',
  productId: PRODUCT,
  price: 101,
  open24h: 99,
  high24h: 103,
  low24h: 98,
  volume24h: 5,
  bestBid: 100,
  bestBidSize: 1,
  bestAsk: 102,
  bestAskSize: 1,
  lastSize: 1,
  side: 'buy',
  sequence: 7,
  tradeId: 7,
  time: '2026-11-22T12:00:00.000Z',
};
const NO_COUNTS: BookCounters = {
  connections: 1,
  gaps: 0,
  malformed: 0,
  refusals: 0,
  crossed: 0,
  disagreed: 0,
  unresponsive: 0,
  missing: 0,
  renewed: 0,
};

/** One process's connection to the venue. */
function aVenue() {
  const book = new OrderBook();
  book.load([[100, 1]], [[102, 1]]);
  const venue = {
    book,
    revision: 1,
    ticker: TICKER,
    isOpen: false,
    isFresh: true,
    set(side: 'bid' | 'ask', price: number, size: number) {
      book.apply(side, price, size);
      venue.revision += 1;
    },
  };
  const source: BookSource = {
    id: 'venue',
    attribution: 'Venue',
    open(_, signal) {
      venue.isOpen = true;
      signal.addEventListener('abort', () => {
        venue.isOpen = false;
      });
      return {
        product: () => ({
          revision: venue.revision,
          soundBook: book,
          ticker: venue.ticker,
          lastTradeId: 7,
          isFresh: venue.isFresh,
          idleMs: 12,
        }),
        counters: () => NO_COUNTS,
      };
    },
  };
  return { venue, source };
}

function aPair() {
  const bus = aBus();
  const [first, second] = [aProcess(bus, 1), aProcess(bus)];
  const [ours, theirs] = [aVenue(), aVenue()];
  const open = (sharing: typeof first, source: BookSource) =>
    openSharedBooks({ sharing, source, productIds: [PRODUCT], signal: ended.signal });
  const leading = open(first, ours.source);
  const following = open(second, theirs.source);
  return { bus, first, second, leading, following, venue: ours.venue, idle: theirs.venue };
}

const levels = (books: ReturnType<typeof openSharedBooks>) => {
  const book = books.product(PRODUCT)?.soundBook;
  return book == null ? null : { bids: book.top('bid', 9), asks: book.top('ask', 9) };
};
const isLive = (books: ReturnType<typeof openSharedBooks>) => books.product(PRODUCT)?.isFresh === true;

test('shows the leader’s book as a follower, without connecting to a venue', async () => {
  const { leading, following, venue, idle } = aPair();
  await vi.waitFor(() => expect(isLive(following)).toBe(true));
  const before = following.product(PRODUCT);

  venue.set('bid', 100.5, 2);
  venue.set('ask', 102, 0);
  venue.set('ask', 103, 4);

  await vi.waitFor(() => expect(levels(following)).toEqual(levels(leading)));
  expect(levels(following)?.bids).toEqual([
    { price: 100.5, size: 2 },
    { price: 100, size: 1 },
  ]);
  const now = following.product(PRODUCT);
  expect(now?.revision).toBeGreaterThan(before?.revision ?? 0);
  expect(now?.ticker).toEqual(TICKER);
  expect(now?.ticker).toBe(before?.ticker);
  expect([now?.lastTradeId, (now?.idleMs ?? 0) >= 12]).toEqual([7, true]);
  expect([venue.isOpen, idle.isOpen]).toEqual([true, false]);
});

test('recovers a whole, correct book after lost changes', async () => {
  const { bus, leading, following, venue } = aPair();
  await vi.waitFor(() => expect(isLive(following)).toBe(true));

  bus.isCut = true;
  venue.set('bid', 100.5, 2);
  await wait(120);
  bus.isCut = false;
  venue.set('bid', 100.7, 3);

  await vi.waitFor(() => expect(levels(following)).toEqual(levels(leading)));
  expect(isLive(following)).toBe(true);
});

test('stops treating the leader’s book as live when the leader stops responding', async () => {
  const { bus, following, venue } = aPair();
  await vi.waitFor(() => expect(isLive(following)).toBe(true));
  bus.isCut = true;
  venue.set('bid', 100.5, 2);
  await vi.waitFor(() => expect(isLive(following)).toBe(false));
  expect(following.product(PRODUCT)?.idleMs).toBeGreaterThan(1000);
});

test('passes the leader’s stale state on to followers', async () => {
  const { following, venue } = aPair();
  await vi.waitFor(() => expect(isLive(following)).toBe(true));
  venue.isFresh = false;
  await vi.waitFor(() => expect(isLive(following)).toBe(false));
});

test('connects the new leader to the venue, and disconnects the former one', async () => {
  const { first, second, following, leading, venue, idle } = aPair();
  await vi.waitFor(() => expect(isLive(following)).toBe(true));

  first.leadership.set(null);
  second.leadership.set(2);
  idle.set('bid', 100.9, 9);

  await vi.waitFor(() => expect(levels(leading)?.bids[0]).toEqual({ price: 100.9, size: 9 }));
  expect([venue.isOpen, idle.isOpen]).toEqual([false, true]);
});

test('shows no older price after its own when it follows again, until the leader’s is as new', async () => {
  const { first, second, leading, following, venue, idle } = aPair();
  await vi.waitFor(() => expect(isLive(following)).toBe(true));
  const at = (second: number) => ({ ...TICKER, time: `2026-11-22T12:00:0${second}.000Z` });
  venue.ticker = at(5);
  expect(leading.product(PRODUCT)?.ticker).toEqual(at(5));

  idle.ticker = at(4);
  first.leadership.set(null);
  second.leadership.set(2);
  await vi.waitFor(() => expect(isLive(following)).toBe(true));
  await wait(120);

  expect(leading.product(PRODUCT)).toMatchObject({ ticker: at(5), soundBook: null, isFresh: false });
  idle.ticker = at(6);
  idle.set('bid', 100.9, 9);
  await vi.waitFor(() => expect(leading.product(PRODUCT)).toMatchObject({ ticker: at(6), isFresh: true }));
  expect(levels(leading)?.bids[0]?.price).toBe(100.9);
});

test('shows the leader’s older price after 15 s: the venue’s clock was set back', async () => {
  const { first, second, leading, following, venue, idle } = aPair();
  venue.ticker = { ...TICKER, time: '2026-11-22T13:00:00.000Z' };
  expect(leading.product(PRODUCT)?.ticker?.time).toBe(venue.ticker.time);
  idle.ticker = TICKER;
  first.leadership.set(null);
  second.leadership.set(2);
  await vi.waitFor(() => expect(following.product(PRODUCT)?.ticker).toEqual(TICKER));
  await vi.waitFor(() => expect(leading.product(PRODUCT)?.isFresh).toBe(false));

  expect(leading.product(PRODUCT)?.ticker).toEqual(venue.ticker);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 15_001);

  await vi.waitFor(() => expect(leading.product(PRODUCT)?.ticker).toEqual(TICKER));
});

test('ignores messages of an earlier leader', async () => {
  const { bus, first, second, leading, following, idle } = aPair();
  await vi.waitFor(() => expect(isLive(following)).toBe(true));
  first.leadership.set(null);
  second.leadership.set(2);
  idle.set('bid', 100.9, 9);
  await vi.waitFor(() => expect(levels(leading)?.bids[0]?.price).toBe(100.9));

  const whole = { bids: [[50, 1]], asks: [[51, 1]] };
  bus.publish(booksSubject('market.test'), { term: 1, productId: PRODUCT, sequence: 999, isFresh: true, whole });
  bus.publish(booksSubject('market.test'), 'nonsense');
  await wait(50);

  expect(levels(leading)?.bids[0]?.price).toBe(100.9);
  expect(leading.counters().malformed).toBe(1);
});
