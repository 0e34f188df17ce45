import { counted } from '#domain/format/count.ts';
import type { Sort } from '../../ui/layout/table.tsx';
import type { TopCoin } from './market-snapshot.ts';

export type CoinSort = Sort<'rank' | 'coin' | 'price' | 'change' | 'cap' | 'volume'>;

export interface RankedCoin {
  coin: TopCoin;
  /** By market capitalisation, from 1. */
  rank: number;
}

const VALUES = {
  rank: ({ rank }) => rank,
  coin: ({ coin }) => coin.symbol,
  price: ({ coin }) => coin.current_price,
  change: ({ coin }) => coin.price_change_percentage_24h,
  cap: ({ coin }) => coin.market_cap,
  volume: ({ coin }) => coin.total_volume,
} satisfies Record<CoinSort['key'], (coin: RankedCoin) => string | number | null>;

/** Missing values come last in either direction; equal ones stay in the order of their rank. */
export function sortedCoins(coins: readonly TopCoin[], { key, direction }: CoinSort): RankedCoin[] {
  const sign = direction === 'asc' ? 1 : -1;
  const read: (coin: RankedCoin) => string | number | null = VALUES[key];
  return coins
    .map((coin, i) => ({ coin, rank: i + 1 }))
    .sort((a, b) => {
      const [left, right] = [read(a), read(b)];
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      if (typeof left === 'string') return sign * left.localeCompare(String(right));
      return sign * (left - Number(right));
    });
}

const DAY_MS = 86_400_000;

/**
 * How much time the lines cover. A new site's prices of a few minutes look like a trend and are none: no line is drawn
 * until a day is stored.
 *
 * @param sinceMs  time of the first stored price; null without any
 * @returns null: not enough to draw
 */
export function drawnSpanMs(sinceMs: number | null, nowMs: number): number | null {
  if (sinceMs === null || nowMs - sinceMs < DAY_MS) return null;
  return nowMs - sinceMs;
}

/** The span of the stored prices: '7 days'; a new site has less than a week. */
export function spanLabel(spanMs: number): string {
  return counted(Math.round(spanMs / DAY_MS), 'day');
}
