/** The chart's choices: pair, bar length, time span. */
import {
  KRAKEN_MONTH,
  KRAKEN_PAIRS,
  KRAKEN_WEEK,
  type KrakenPair,
  MAX_KRAKEN_ROWS,
} from '#domain/market/codecs/kraken-ohlc.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';

export const BAR_LENGTHS = {
  '1W': { minutes: KRAKEN_WEEK, heading: 'Weekly', each: 'weekly', bars: 'weeks' },
  '1M': { minutes: KRAKEN_MONTH, heading: 'Monthly', each: 'monthly', bars: 'months' },
} as const;
export type BarLength = keyof typeof BAR_LENGTHS;

export const POINTS = 260;
/** Number of points of the wide view. */
export const WIDE_POINTS = 600;

export interface ChartPair {
  /** The exchange's name of the pair. */
  name: string;
  /** The displayed name: 'BTC-USD'. */
  shown: string;
  decimals: number;
}

const BITCOIN: KrakenPair = KRAKEN_PAIRS[0];

/** The symbol's own pair if the exchange has one, else Bitcoin's. */
export function pairFor(symbol: MarketSymbol): ChartPair & { isOwn: boolean } {
  const pairs: readonly KrakenPair[] = KRAKEN_PAIRS;
  const own = pairs.find(({ label }) => label === symbol.label);
  const { name, label } = own ?? BITCOIN;
  // A chart of years needs no finer prices than the order book.
  const decimals = own === undefined ? 0 : symbol.bookDecimals;
  return { name, shown: `${label}-USD`, decimals, isOwn: own !== undefined };
}

const DAY_MS = 86_400_000;

/**
 * Months from this one on are built from daily bars. The exchange returns a limited number of days; earlier months are
 * built from the weeks that start in them.
 *
 * @param fetchedAtMs  when the exchange was queried
 * @returns seconds, the first of a month at 00:00 UTC
 */
export function firstExactMonthS(fetchedAtMs: number): number {
  const today = Math.floor(fetchedAtMs / DAY_MS);
  const oldest = new Date((today - MAX_KRAKEN_ROWS + 1) * DAY_MS);
  const month = oldest.getUTCMonth() + (oldest.getUTCDate() === 1 ? 0 : 1);
  return Date.UTC(oldest.getUTCFullYear(), month, 1) / 1000;
}
