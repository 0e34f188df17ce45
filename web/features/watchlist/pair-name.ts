import { marketLabel } from '#domain/market/named-market.ts';
import { barMinutesOf } from '#domain/market/timeframes.ts';
import type { WatchedPair } from '#domain/watchlist/watchlist.ts';

/** 'BTC 5 min': as announced and in labels. */
export function nameOf({ sym, timeframe }: WatchedPair, label = marketLabel(sym)): string {
  return `${label} ${barMinutesOf(timeframe)} min`;
}
