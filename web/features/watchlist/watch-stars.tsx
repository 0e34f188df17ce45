/** Stars for lists of symbols: each watches its symbol at one timeframe. Loads when a list opens. */
import { useEffect } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { isWatched, MOST_WATCHED } from '#domain/watchlist/watchlist.ts';
import type { OptionStar } from '../../ui/forms/option-star.tsx';
import { nameOf } from './pair-name.ts';
import { useWatchlistState } from './use-watchlist.ts';

export type WatchStarOf = (symbol: Pick<MarketSymbol, 'sym' | 'label'>) => OptionStar;

/** Null until the list is known. */
export function useStars(timeframe: Timeframe): WatchStarOf | null {
  const { pairs, change } = useWatchlistState();
  if (pairs === null) return null;
  return ({ sym, label }) => {
    const pair = { sym, timeframe };
    const isOn = isWatched(pairs, pair);
    const name = nameOf(pair, label);
    return {
      isOn,
      action: isOn ? `Stop watching ${name}` : `Watch ${name}`,
      state: 'on your watchlist',
      toggle() {
        change(isOn ? 'remove' : 'add', [pair]);
        if (isOn) return `${name} is no longer on your watchlist.`;
        return pairs.length < MOST_WATCHED ? `${name} is on your watchlist.` : '';
      },
    };
  };
}

export interface WatchStarsProps {
  timeframe: Timeframe;
  onChange: (starOf: WatchStarOf | null) => void;
}

/** For a page whose list is drawn elsewhere. */
export function WatchStars({ timeframe, onChange }: WatchStarsProps) {
  const starOf = useStars(timeframe);
  const { pairs } = useWatchlistState();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stars change with the list and the timeframe
  useEffect(() => onChange(starOf), [pairs, timeframe]);
  return null;
}
