import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BookChange } from '#domain/market/order-book.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { BOOK_DEPTH, type Book, bookAt, bookRecipe } from './book.ts';
import { changesBetween } from './book-changes.ts';
import { BOOK_SHAPES } from './book-shapes.ts';
import { runningMinuteS } from './market-time.ts';
import { simulatedSource } from './simulation.ts';
import { type Trade, ticksOf } from './ticks.ts';

const NOON_MS = Date.parse('2025-11-12T15:00:00Z');
const PRODUCTS = Object.keys(BOOK_SHAPES);

function shapeOf(productId: string) {
  const shape = BOOK_SHAPES[productId];
  if (shape === undefined) throw new Error(`no shape of ${productId}`);
  return shape;
}

const aTrade = (price: number, id: number, side: Trade['side']): Trade => ({
  id,
  timeMs: NOON_MS,
  price,
  size: 1,
  side,
  volumeSoFar: 1,
});

const moment = fc.record({
  productId: fc.constantFrom(...PRODUCTS),
  seed: fc.string({ maxLength: 8 }),
  nowMs: fc.integer({ min: 1_567_296_000_000, max: 2_500_000_000_000 }),
  /** Price in ticks, on the grid and off it. */
  ticks: fc.double({ min: 5000, max: 3_000_000, noNaN: true }),
  tradeId: fc.integer({ min: 0, max: 40_000_000_000 }),
  side: fc.constantFrom<Trade['side']>('buy', 'sell'),
});

function expectSound({ bids, asks }: Book, decimals: number): void {
  const isFalling = bids.every((level, i) => i === 0 || level.price < (bids[i - 1]?.price ?? 0));
  const isRising = asks.every((level, i) => i === 0 || level.price > (asks[i - 1]?.price ?? 0));
  expect([isFalling, isRising]).toEqual([true, true]);
  expect((bids[0]?.price ?? 0) < (asks[0]?.price ?? 0)).toBe(true);
  const levels = [...bids, ...asks];
  expect(levels.every(({ price, size }) => price > 0 && size > 0 && Number.isFinite(size))).toBe(true);
  expect(levels.every(({ price }) => Number(price.toFixed(decimals)) === price)).toBe(true);
}

test('at any moment the book is sound: never crossed or locked, deep, every size positive', () => {
  fc.assert(
    fc.property(moment, ({ productId, seed, nowMs, ticks, tradeId, side }) => {
      const shape = shapeOf(productId);
      const recipe = bookRecipe(productId, shape, seed);

      const book = bookAt(recipe, nowMs, aTrade(ticks * shape.tickSize, tradeId, side));

      expectSound(book, shape.priceDecimals);
      expect(book.asks).toHaveLength(BOOK_DEPTH);
      if (ticks > 2 * BOOK_DEPTH * shape.slotTicks) expect(book.bids).toHaveLength(BOOK_DEPTH);
    }),
    { numRuns: 300 },
  );
});

test('the last trade stands at the best price of the side that it hit', () => {
  fc.assert(
    fc.property(moment, ({ productId, seed, nowMs, ticks, tradeId, side }) => {
      const shape = shapeOf(productId);
      const price = Number((Math.round(ticks) * shape.tickSize).toFixed(shape.priceDecimals));

      const book = bookAt(bookRecipe(productId, shape, seed), nowMs, aTrade(price, tradeId, side));

      expect((side === 'sell' ? book.bids : book.asks)[0]?.price).toBe(price);
    }),
  );
});

test('even the cheapest price has a book on both sides', () => {
  const shape = shapeOf('BTC-USD');
  const recipe = bookRecipe('BTC-USD', shape, 's');

  for (const price of [0.01, 0.1, 0.2, 0.3]) {
    const book = bookAt(recipe, NOON_MS, aTrade(price, 1, 'buy'));

    expectSound(book, shape.priceDecimals);
    expect(book.bids.length).toBeGreaterThan(0);
  }
});

test('a size too small for its decimals is the smallest one, not zero', () => {
  const shape = { ...shapeOf('BTC-USD'), size: 0.1, sizeDecimals: 0 };

  const { bids, asks } = bookAt(bookRecipe('BTC-USD', shape, 's'), NOON_MS, aTrade(100_000, 1, 'buy'));

  expect([...bids, ...asks].every(({ size }) => size >= 1)).toBe(true);
});

test('any order of asking gives the same books, another seed others', () => {
  fc.assert(
    fc.property(fc.array(moment, { minLength: 2, maxLength: 5 }), (moments) => {
      const ask = ({ productId, seed, nowMs, ticks, tradeId, side }: (typeof moments)[number], suffix = '') => {
        const shape = shapeOf(productId);
        return bookAt(bookRecipe(productId, shape, seed + suffix), nowMs, aTrade(ticks, tradeId, side));
      };
      const forwards = moments.map((m) => ask(m));
      const backwards = moments.toReversed().map((m) => ask(m));

      expect(backwards.reverse()).toEqual(forwards);
      expect(moments.map((m) => ask(m, 'other'))).not.toEqual(forwards);
    }),
    { numRuns: 30 },
  );
});

function applied(book: Book, changes: readonly BookChange[]): Book {
  const sides = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  for (const { price, size } of book.bids) sides.bid.set(price, size);
  for (const { price, size } of book.asks) sides.ask.set(price, size);
  for (const { side, price, size } of changes) {
    if (size === 0) expect(sides[side].delete(price)).toBe(true);
    else sides[side].set(price, size);
  }
  const levels = (side: Map<number, number>) => [...side].map(([price, size]) => ({ price, size }));
  return {
    bids: levels(sides.bid).sort((a, b) => b.price - a.price),
    asks: levels(sides.ask).sort((a, b) => a.price - b.price),
  };
}

test('the changes lead from one book to the other', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: -3000, max: 3000 }), fc.nat(5000), (at, moved, laterMs) => {
      const shape = shapeOf(at.productId);
      const recipe = bookRecipe(at.productId, shape, at.seed);
      const before = bookAt(recipe, at.nowMs, aTrade(at.ticks * shape.tickSize, at.tradeId, at.side));
      const price = Math.max(1, at.ticks + moved) * shape.tickSize;
      const after = bookAt(recipe, at.nowMs + laterMs, aTrade(price, at.tradeId + 1, at.side));

      const changes = changesBetween(before, after);

      expect(applied(before, changes)).toEqual(after);
      expect(changesBetween(after, after)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test.each(PRODUCTS)('%s changes by a moderate number of levels every 50 ms', (productId) => {
  const symbol = SYMBOLS.find((s) => s.bookProductId === productId) ?? symbolNamed('BTC');
  const ticks = ticksOf(symbol, simulatedSource(symbol, 'book'), 'book');
  const recipe = bookRecipe(productId, shapeOf(productId), 'book');
  const counts: number[] = [];
  let before: Book | null = null;
  for (let nowMs = NOON_MS; nowMs < NOON_MS + 60_000; nowMs += 50) {
    const last = ticks.tradesOf(runningMinuteS(nowMs)).findLast(({ timeMs }) => timeMs <= nowMs);
    if (last === undefined) throw new Error('no trade');
    const book = bookAt(recipe, nowMs, last);
    if (before !== null) counts.push(changesBetween(before, book).length);
    before = book;
  }
  const sorted = counts.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0;

  expect(at(0.5)).toBeGreaterThanOrEqual(5);
  expect(at(0.5)).toBeLessThanOrEqual(40);
  expect(at(0.95)).toBeLessThanOrEqual(120);
});
