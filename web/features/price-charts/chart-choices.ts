import { KRAKEN_MONTH, KRAKEN_WEEK, MAX_KRAKEN_ROWS } from '#domain/market/codecs/kraken-ohlc.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';

export const BAR_LENGTHS = {
  '1W': { minutes: KRAKEN_WEEK, heading: 'Weekly', each: 'weekly', bars: 'weeks' },
  '1M': { minutes: KRAKEN_MONTH, heading: 'Monthly', each: 'monthly', bars: 'months' },
} as const;
export type BarLength = keyof typeof BAR_LENGTHS;

export const POINTS = 260;
/** Number of points of the wide view (R-MARKET-6). */
export const WIDE_POINTS = 600;

export interface ChartPair {
  /** The exchange's name of the pair. */
  name: string;
  /** The displayed name: 'BTC-USD'. */
  shown: string;
  decimals: number;
}

const [BITCOIN] = SYMBOLS;

/** The symbol's own pair if the exchange has one, else Bitcoin's. */
export function pairFor(symbol: MarketSymbol): ChartPair & { isOwn: boolean } {
  const isOwn = symbol.kraken !== null;
  const { name } = symbol.kraken ?? BITCOIN.kraken;
  // A chart of years needs no finer prices than the order book.
  const decimals = isOwn ? symbol.bookDecimals : 0;
  return { name, shown: `${isOwn ? symbol.label : BITCOIN.label}-USD`, decimals, isOwn };
}

const DAY_MS = 86_400_000;

/**
 * Months from this one on are built from daily bars, of which the exchange returns a limited number; earlier ones from
 * weeks.
 * @returns seconds, the first of a month at 00:00 UTC
 */
export function firstExactMonthS(fetchedAtMs: number): number {
  const today = Math.floor(fetchedAtMs / DAY_MS);
  const oldest = new Date((today - MAX_KRAKEN_ROWS + 1) * DAY_MS);
  const month = oldest.getUTCMonth() + (oldest.getUTCDate() === 1 ? 0 : 1);
  return Date.UTC(oldest.getUTCFullYear(), month, 1) / 1000;
}
