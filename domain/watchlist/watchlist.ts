/**
 * A watchlist: pairs of symbol and timeframe, each once, in the user's order. For visitors these functions decide; for
 * accounts the database does, by the same rules (tests/database/watchlist.test.ts).
 */
import * as z from 'zod/mini';
import { TIMEFRAMES } from '../market/timeframes.ts';

export const MOST_WATCHED = 50;

export const watchedPairSchema = z.object({
  /** The product's own code. A product that is no longer traded stays in the list. */
  sym: z.string().check(z.regex(/^[A-Z0-9.!]{1,20}$/)),
  timeframe: z.enum(TIMEFRAMES),
});
export type WatchedPair = z.infer<typeof watchedPairSchema>;
export type Watchlist = readonly WatchedPair[];

export const watchlistSchema = z.array(watchedPairSchema).check(z.maxLength(MOST_WATCHED));

/** 'BTCUSDT.P:5min', as in addresses. */
export function pairKey({ sym, timeframe }: WatchedPair): string {
  return `${sym}:${timeframe}`;
}

/** @returns null for a text that is no pair */
export function pairOfKey(key: string): WatchedPair | null {
  const cut = key.lastIndexOf(':');
  const parsed = watchedPairSchema.safeParse({ sym: key.slice(0, Math.max(0, cut)), timeframe: key.slice(cut + 1) });
  return parsed.success ? parsed.data : null;
}

export function isSamePair(a: WatchedPair, b: WatchedPair): boolean {
  return a.sym === b.sym && a.timeframe === b.timeframe;
}

export function isWatched(list: Watchlist, pair: WatchedPair): boolean {
  return list.some((one) => isSamePair(one, pair));
}

/** Adds at the end, in their order, while there is room. */
export function withPairs(list: Watchlist, added: Watchlist): WatchedPair[] {
  return unique([...list, ...added]).slice(0, MOST_WATCHED);
}

export function withoutPairs(list: Watchlist, removed: Watchlist): WatchedPair[] {
  return list.filter((pair) => !isWatched(removed, pair));
}

/** @param first  comes first in this order, as far as it is listed; the others follow as they were */
export function inOrder(list: Watchlist, first: Watchlist): WatchedPair[] {
  const named = unique(first).filter((pair) => isWatched(list, pair));
  return [...named, ...withoutPairs(list, named)];
}

/** @param to  index in the new list; beyond an end it counts as that end */
export function movedTo(list: Watchlist, pair: WatchedPair, to: number): WatchedPair[] {
  if (!isWatched(list, pair)) return [...list];
  const others = withoutPairs(list, [pair]);
  return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, pair);
}

function unique(pairs: Watchlist): WatchedPair[] {
  return pairs.filter((pair, i) => pairs.findIndex((one) => isSamePair(one, pair)) === i);
}
