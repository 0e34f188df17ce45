import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BookSide, OrderBook } from './order-book.ts';

const prices = (book: OrderBook, side: BookSide) => book.top(side, 1000).map((level) => level.price);

test('lists levels best first on both sides, whatever order they were loaded in', () => {
  const book = new OrderBook();

  book.load(
    [
      ['99.5', '1'],
      ['100', '2'],
      ['98', '3'],
    ],
    [
      ['101.5', '1'],
      ['100.5', '2'],
      ['103', '3'],
    ],
  );

  expect(prices(book, 'bid')).toEqual([100, 99.5, 98]);
  expect(prices(book, 'ask')).toEqual([100.5, 101.5, 103]);
  expect(book.bestBid).toEqual({ price: 100, size: 2 });
  expect(book.bestAsk).toEqual({ price: 100.5, size: 2 });
  expect(book.top('bid', 2)).toHaveLength(2);
});

test('forgets the levels before when loading again, and all when cleared', () => {
  const book = new OrderBook();
  book.load([['1', '1']], [['2', '1']]);

  book.load([[3, 1]], []);
  expect([prices(book, 'bid'), prices(book, 'ask')]).toEqual([[3], []]);

  book.clear();
  expect([book.levelCount('bid'), book.bestBid, book.bestAsk, book.isCrossed]).toEqual([0, null, null, false]);
});

test.each([
  ['10.01', '10.02', false],
  ['10.02', '10.02', true],
  ['10.03', '10.02', true],
])('reports for a bid of %s against an ask of %s: crossed is %s', (bid, ask, expected) => {
  const book = new OrderBook();

  book.load([[bid, '1']], [[ask, '1']]);

  expect(book.isCrossed).toBe(expected);
});

test('separates prices off the tick grid from their neighbours on it', () => {
  const book = new OrderBook();

  for (const price of ['63521.10', '63521.1000001', '63521.105', '63521.1']) book.apply('bid', price, '1');

  expect(prices(book, 'bid')).toEqual([63521.105, 63521.1000001, 63521.1]);
});

const BAD: unknown[] = [
  ...['', ' ', 'NaN', 'Infinity', '1e400', '1e5', '0x10', '-1', '+1', '1.', '.5', '1.2.3', '1,5', '٣', '9'.repeat(41)],
  ...[null, undefined, true, [], {}, Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300, 5e-324, 10n],
];

test.each(BAD.map((value) => [value]))('rejects and counts a level of %o, and applies the rest of the batch', (bad) => {
  const book = new OrderBook();

  book.load([['1', '1'], [bad, '1'], ['0.5', bad], bad, ['0.25', '1']], []);
  const isTaken = [book.apply('ask', bad, '1'), book.apply('ask', '2', bad), book.apply('ask', '2', '1')];

  expect(prices(book, 'bid')).toEqual([1, 0.25]);
  expect(isTaken).toEqual([false, false, true]);
  expect(book.rejected).toBe(5);
});

test('rejects a price of zero, and removes at a size of zero with any number of decimals', () => {
  const book = new OrderBook();
  book.load(
    [
      ['1', '1'],
      ['2', '0.00000000'],
    ],
    [],
  );

  expect(book.apply('bid', '0', '1')).toBe(false);
  expect(book.apply('bid', '1.0', '0.000')).toBe(true);
  expect(book.apply('bid', '7', '0')).toBe(true);

  expect(book.levelCount('bid')).toBe(0);
});

test('drops the worst level of a full side for a better one, and ignores a worse one', () => {
  const book = new OrderBook(3);
  book.load(
    [
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
    ],
    [
      [9, 1],
      [8, 1],
      [7, 1],
      [6, 1],
    ],
  );
  expect([prices(book, 'bid'), prices(book, 'ask')]).toEqual([
    [4, 3, 2],
    [6, 7, 8],
  ]);

  book.apply('bid', 1, 1);
  book.apply('bid', 5, 1);
  book.apply('ask', 10, 1);
  book.apply('ask', 6.5, 1);

  expect([prices(book, 'bid'), prices(book, 'ask')]).toEqual([
    [5, 4, 3],
    [6, 6.5, 7],
  ]);
});

const change = fc.record({
  side: fc.constantFrom<BookSide>('bid', 'ask'),
  cents: fc.integer({ min: 1, max: 400 }),
  size: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 3, arbitrary: fc.integer({ min: 1, max: 9 }) }),
  isText: fc.boolean(),
});

test('behaves as a plain map sorted by price', () => {
  const load = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 9 })), { maxLength: 500 });
  fc.assert(
    fc.property(load, load, fc.array(change, { maxLength: 600 }), (bids, asks, changes) => {
      const book = new OrderBook();
      const model = { bid: new Map<number, number>(), ask: new Map<number, number>() };
      const set = (side: BookSide, price: number, size: number) =>
        size === 0 ? model[side].delete(price) : model[side].set(price, size);
      const rows = (all: typeof bids) => all.map(([cents, size]) => [(cents / 100).toFixed(2), `${size}`]);

      book.load(rows(bids), rows(asks));
      for (const [cents, size] of bids) set('bid', cents / 100, size);
      for (const [cents, size] of asks) set('ask', cents / 100, size);
      for (const { side, cents, size, isText } of changes) {
        book.apply(side, isText ? (cents / 100).toFixed(5) : cents / 100, isText ? size.toFixed(8) : size);
        set(side, cents / 100, size);
      }

      for (const side of ['bid', 'ask'] as const) {
        const expected = [...model[side]].map(([price, size]) => ({ price, size }));
        expected.sort((a, b) => (side === 'bid' ? b.price - a.price : a.price - b.price));
        expect(book.top(side, 1000)).toEqual(expected);
        expect(book.top(side, 3)).toEqual(expected.slice(0, 3));
        expect(book.levelCount(side)).toBe(expected.length);
      }
      const [bid, ask] = [Math.max(...model.bid.keys()), Math.min(...model.ask.keys())];
      expect(book.isCrossed).toBe(model.bid.size > 0 && model.ask.size > 0 && bid >= ask);
      expect(book.rejected).toBe(0);
    }),
  );
});

test('never throws, and never shows an invalid, negative or misplaced level', () => {
  const any = fc.oneof(fc.anything(), fc.constantFrom(...BAD), fc.double(), fc.stringMatching(/^\d{1,20}\.\d{1,20}$/));
  fc.assert(
    fc.property(fc.array(fc.array(any)), fc.array(fc.tuple(any, any)), (rows, changes) => {
      const book = new OrderBook(20);

      book.load(rows, [...changes, ...rows]);
      for (const [price, size] of changes) book.apply('bid', price, size);

      for (const side of ['bid', 'ask'] as const) {
        const levels = book.top(side, 1000);
        expect(levels.every((l) => l.price > 0 && l.price < 1e12 && l.size > 0 && l.size < 1e15)).toBe(true);
        const ordered = levels.map((l) => l.price).toSorted((a, b) => (side === 'bid' ? b - a : a - b));
        expect(levels.map((l) => l.price)).toEqual(ordered);
        expect(levels.length).toBeLessThanOrEqual(20);
      }
    }),
  );
});
