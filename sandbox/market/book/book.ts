/**
 * The order book around the last trade: a pure function of seed, time and that trade. Levels occupy a lattice of slots
 * that does not move with the price. Each slot has its own lifetime, so only few levels change at a time.
 */
import type { BookChange, BookLevel, BookSide } from '#domain/market/book/order-book.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { streamOf, uniformAt } from '../simulation/noise.ts';
import { bookLevelsOf } from '../simulation/simulation-profile.ts';
import type { Trade } from '../simulation/ticks.ts';

/** Levels per side, as long as prices stay above zero. */
export const BOOK_DEPTH = 400;

export interface BookShape {
  tickSize: number;
  priceDecimals: number;
  /** Ticks per slot of the lattice. */
  slotTicks: number;
  size: number;
  sizeDecimals: number;
}

/** Best first. */
export interface Book {
  bids: BookLevel[];
  asks: BookLevel[];
}

/** A level keeps its size for a time between these, milliseconds; most live long. */
const MIN_LIFE_MS = 2000;
const MAX_LIFE_MS = 120_000;
/** Near the spread orders change quickly. */
const NEAR_SLOTS = 8;
const NEAR_LIFE_MS = 400;
/** Share of slots that are empty for a lifetime. */
const EMPTY_SHARE = 0.12;
/** One slot in this many holds a round price, with larger sizes. */
const ROUND_SLOTS = 25;
const MAX_SPREAD_TICKS = 12;

/** Parameters of one product's book; the streams are names of random numbers. */
export interface BookRecipe {
  shape: BookShape;
  stream: Readonly<Record<'life' | 'phase' | 'place' | 'size' | 'near' | 'spread' | 'touch', number>>;
}

export function bookRecipe(productId: string, shape: BookShape, seed: string): BookRecipe {
  const named = (name: string): number => streamOf(seed, productId, 'book', name);
  const stream = {
    life: named('life'),
    phase: named('phase'),
    place: named('place'),
    size: named('size'),
    near: named('near'),
    spread: named('spread'),
    touch: named('touch'),
  };
  return { shape, stream };
}

/** Never crossed or locked, every size above zero, strictly ordered from the best. */
export function bookAt(recipe: BookRecipe, nowMs: number, last: Trade): Book {
  const { tickSize } = recipe.shape;
  const anchor = Math.max(2, Math.round(last.price / tickSize));
  // A buy has just hit the best ask, a sell the best bid; the other side is the spread away.
  const spread = spreadTicks(recipe, last.id);
  const bestBid = last.side === 'sell' ? anchor : Math.max(1, anchor - spread);
  const bestAsk = last.side === 'sell' ? anchor + spread : anchor;
  return { bids: sideFrom(recipe, nowMs, last, bestBid, -1), asks: sideFrom(recipe, nowMs, last, bestAsk, 1) };
}

function spreadTicks({ stream }: BookRecipe, tradeId: number): number {
  return Math.min(MAX_SPREAD_TICKS, 1 + Math.floor(-Math.log(uniformAt(stream.spread, tradeId)) * 0.8));
}

/** @param best  the best price in ticks @param step  -1: bids, 1: asks */
function sideFrom(recipe: BookRecipe, nowMs: number, last: Trade, best: number, step: 1 | -1): BookLevel[] {
  const { slotTicks } = recipe.shape;
  const { stream } = recipe;
  const touchIndex = Math.floor(nowMs / NEAR_LIFE_MS) * 1000 + (last.id % 1000);
  const levels = [levelAt(recipe, best, 0.5 + uniformAt(stream.touch ^ step, touchIndex))];
  const first = Math.floor(best / slotTicks);
  for (let away = 0; levels.length < BOOK_DEPTH; away++) {
    const slot = first + step * away;
    if (slot < 0) break;
    const ticks = slot * slotTicks + placeIn(recipe, slot);
    if (ticks < 1) continue;
    // The slot of the best price may extend to the other side.
    const isBeyond = step === 1 ? ticks > best : ticks < best;
    const share = isBeyond ? shareOf(recipe, nowMs, slot, away) : 0;
    if (share > 0) levels.push(levelAt(recipe, ticks, share));
  }
  return levels;
}

/** A slot's single price, in ticks above the slot's start: round prices at the start, others anywhere. */
function placeIn({ shape, stream }: BookRecipe, slot: number): number {
  return slot % ROUND_SLOTS === 0 ? 0 : Math.floor(uniformAt(stream.place, slot) * shape.slotTicks);
}

/** Size of a slot's level as a share of the typical size; 0: the slot is empty now. */
function shareOf({ stream }: BookRecipe, nowMs: number, slot: number, away: number): number {
  const lifeMs = MIN_LIFE_MS * (MAX_LIFE_MS / MIN_LIFE_MS) ** uniformAt(stream.life, slot);
  const age = Math.floor(nowMs / lifeMs + uniformAt(stream.phase, slot));
  const luck = uniformAt(stream.size ^ slot, age);
  const isRound = slot % ROUND_SLOTS === 0;
  if (luck < EMPTY_SHARE && !isRound) return 0;
  // Heavy tails: most levels are small, some are walls.
  const rest = isRound ? 3 + 4 * luck : 0.08 + 0.55 * (1 / (1.12 - luck) - 0.9);
  if (away > NEAR_SLOTS) return rest;
  const nearLifeMs = NEAR_LIFE_MS * (1 + uniformAt(stream.phase ^ 1, slot));
  const nearAge = Math.floor(nowMs / nearLifeMs + uniformAt(stream.phase, slot));
  return rest * (0.3 + 0.7 * uniformAt(stream.near ^ slot, nearAge)) * (0.4 + (0.6 * away) / NEAR_SLOTS);
}

function levelAt({ shape }: BookRecipe, ticks: number, share: number): BookLevel {
  const priceUnits = 10 ** shape.priceDecimals;
  const sizeUnits = 10 ** shape.sizeDecimals;
  // Integers divided by a power of ten equal the floats of their decimal texts.
  return {
    price: (ticks * Math.round(shape.tickSize * priceUnits)) / priceUnits,
    size: Math.max(1, Math.round(shape.size * share * sizeUnits)) / sizeUnits,
  };
}

/** Removals and new sizes, each price once. */
export function changesBetween(before: Book, after: Book): BookChange[] {
  return [...sideChanges('bid', before.bids, after.bids), ...sideChanges('ask', before.asks, after.asks)];
}

function sideChanges(side: BookSide, before: readonly BookLevel[], after: readonly BookLevel[]): BookChange[] {
  const isBetter = (a: number, b: number): boolean => (side === 'bid' ? a > b : a < b);
  const changes: BookChange[] = [];
  let i = 0;
  let j = 0;
  // Both are ordered from the best, so one pass covers the two.
  while (i < before.length || j < after.length) {
    const old = before[i];
    const now = after[j];
    if (now === undefined || (old !== undefined && isBetter(old.price, now.price))) {
      changes.push({ side, price: old?.price ?? 0, size: 0 });
      i += 1;
      continue;
    }
    if (old?.price !== now.price || old.size !== now.size) changes.push({ side, ...now });
    if (old?.price === now.price) i += 1;
    j += 1;
  }
  return changes;
}

/** Prices use the tick size of the symbol whose trades the product shows. */
export function bookShapeOf(symbol: MarketSymbol): BookShape {
  return { tickSize: symbol.tickSize, priceDecimals: symbol.decimals, ...bookLevelsOf(symbol) };
}
