import { barMinutesOf } from '#domain/market/timeframes.ts';
import type { WatchedPair } from '#domain/watchlist/watchlist.ts';
import { knownSymbol } from '../../site/known-markets.ts';

/** 'BTC 5 min': as announced and in labels. */
export function nameOf(pair: WatchedPair, label = labelOf(pair)): string {
  return `${label} ${barMinutesOf(pair.timeframe)} min`;
}

/** A product that this browser has not met is named by its code until its row arrives. */
export function labelOf({ sym }: WatchedPair): string {
  return knownSymbol(sym)?.label ?? sym;
}
