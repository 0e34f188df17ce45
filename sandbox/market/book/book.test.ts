import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SYMBOLS, symbolOfBookProduct } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { runningMinuteS } from '../market-time.ts';
import { simulatedSource } from '../simulation/simulation.ts';
import { type Trade, ticksOf } from '../simulation/ticks.ts';
import { BOOK_DEPTH, type Book, type BookShape, bookAt, bookRecipe, bookShapeOf, changesBetween } from './book.ts';

const NOON_MS = Date.parse('2025-11-12T15:00:00Z');
const PRODUCTS = SYMBOLS.flatMap(({ bookProductId }) => bookProductId ?? []);

function shapeOf(productId: string) {
  return bookShapeOf(symbolOfBookProduct(productId) ?? expect.fail(productId));
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

function expectSound({ bids, asks }: Book, { priceDecimals, sizeDecimals }: BookShape): void {
  const isFalling = bids.every((level, i) => i === 0 || level.price < (bids[i - 1]?.price ?? 0));
  const isRising = asks.every((level, i) => i === 0 || level.price > (asks[i - 1]?.price ?? 0));
  expect([isFalling, isRising]).toEqual([true, true]);
  expect((bids[0]?.price ?? Number.NaN) < (asks[0]?.price ?? Number.NaN)).toBe(true);
  const levels = [...bids, ...asks];
  expect(levels.every(({ price, size }) => price > 0 && size > 0 && Number.isFinite(size))).toBe(true);
  expect(levels.every(({ price }) => Number(price.toFixed(priceDecimals)) === price)).toBe(true);
  expect(levels.every(({ size }) => Number(size.toFixed(sizeDecimals)) === size)).toBe(true);
}

/** Sizes of a coarse book are mostly smaller than its decimals can say; a cheap price has hardly room for bids. */
const corner = fc.record({
  isCoarse: fc.boolean(),
  cheapTicks: fc.option(fc.double({ min: 0.1, max: 30, noNaN: true }), { freq: 3 }),
});

test('is sound at any moment: never crossed or locked, deep, every size positive', () => {
  fc.assert(
    fc.property(moment, corner, ({ productId, seed, nowMs, tradeId, side, ...at }, { isCoarse, cheapTicks }) => {
      const ticks = cheapTicks ?? at.ticks;
      const shape = { ...shapeOf(productId), ...(isCoarse ? { size: 0.1, sizeDecimals: 0 } : {}) };
      const recipe = bookRecipe(productId, shape, seed);

      const book = bookAt(recipe, nowMs, aTrade(ticks * shape.tickSize, tradeId, side));

      expectSound(book, shape);
      expect(book.asks).toHaveLength(BOOK_DEPTH);
      if (ticks > 2 * BOOK_DEPTH * shape.slotTicks) expect(book.bids).toHaveLength(BOOK_DEPTH);
    }),
    { numRuns: 400 },
  );
});

test('has the last trade at the best price of the side that it hit', () => {
  fc.assert(
    fc.property(moment, ({ productId, seed, nowMs, ticks, tradeId, side }) => {
      const shape = shapeOf(productId);
      const price = Number((Math.round(ticks) * shape.tickSize).toFixed(shape.priceDecimals));

      const book = bookAt(bookRecipe(productId, shape, seed), nowMs, aTrade(price, tradeId, side));

      expect((side === 'sell' ? book.bids : book.asks)[0]?.price).toBe(price);
    }),
  );
});

test('gives the same books in any order of calls, and others for another seed', () => {
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

test.each(PRODUCTS)('changes %s by a moderate number of levels every 50 ms', (productId) => {
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
