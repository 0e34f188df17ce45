/** Spread and depth of order books, a row a minute. */
import { afterEach, expect, test } from 'vitest';
import { OrderBook } from '#domain/market/book/order-book.ts';
import { storeBookMinute } from '../../server/market/books/book-minutes.ts';
import type { LiveProduct } from '../../server/market/books/book-source.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const NOON_MS = Date.parse('2026-12-01T12:00:00Z');
const DAY_MS = 86_400_000;

const book = new OrderBook();
book.load(
  [
    ['100', '2'],
    ['99.95', '3'],
    ['99.8', '50'],
  ],
  [
    ['100.02', '1'],
    ['100.1', '4'],
    ['101', '60'],
  ],
);
const fresh: LiveProduct = { revision: 1, soundBook: book, ticker: null, isFresh: true };

describeEachDatabase('minutes of order books', (kind) => {
  const opened = openedForTests(() => openTestDatabase(kind));
  const store = (nowMs: number, products: Record<string, LiveProduct>) =>
    storeBookMinute({
      database: opened(),
      clock: { nowMs: () => nowMs },
      log: testLog,
      books: { product: (id) => products[id] ?? null },
      productIds: ['BTC-USD', 'ETH-USD', 'SOL-USD'],
    });
  const rows = () => opened().query(OWNER, 'select * from private.book_minutes order by minute_s, product');
  afterEach(() => opened().query(OWNER, 'delete from private.book_minutes'));

  test('hold the best prices and what lies within ten basis points of them, once a minute', async () => {
    await store(NOON_MS + 59_000, { 'BTC-USD': fresh });
    await store(NOON_MS + 59_500, { 'BTC-USD': fresh });

    expect(await rows()).toEqual([
      { product: 'BTC-USD', minute_s: NOON_MS / 1000, bid: 100, ask: 100.02, bid_depth: 5, ask_depth: 5 },
    ]);
  });

  test('leave out a book that is stale, missing or empty', async () => {
    await store(NOON_MS, {
      'BTC-USD': { ...fresh, isFresh: false },
      'ETH-USD': { ...fresh, soundBook: null },
      'SOL-USD': { ...fresh, soundBook: new OrderBook() },
    });

    expect(await rows()).toEqual([]);
  });

  test('go after 400 days', async () => {
    await store(NOON_MS, { 'BTC-USD': fresh });
    await store(NOON_MS + 399 * DAY_MS, { 'ETH-USD': fresh });
    expect(await rows()).toHaveLength(2);

    await store(NOON_MS + 401 * DAY_MS, {});
    expect((await rows()).map(({ product }) => product)).toEqual(['ETH-USD']);
  });
});
