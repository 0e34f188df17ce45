/** Reads the candles used for judging: each symbol's recent ones once a round, stored ones in long spans. */
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { CandlePast, PastSeries } from '../market/candles/past-candles.ts';

/** A missing minute may be repaired for this long after the last one closed. */
export const REPAIR_S = 3600;
/** A venue or market may return within this time: about what a venue's history holds in one call. */
export const RETURN_S = 86_400;
/** Stored candles are read in spans of this length. */
const SPAN_S = 6 * 3600;

const FIRST_RETRY_S = 20;
const MAX_RETRY_S = 15 * 60;

/** Wait before the next check: grows with the time waited so far. @param waitedS  since its end */
export function retryInS(waitedS: number): number {
  return Math.min(MAX_RETRY_S, FIRST_RETRY_S + Math.max(0, waitedS) / 2);
}

export type RecentOf = (symbol: MarketSymbol, timeframe?: Timeframe) => Promise<PastSeries | null>;

/** Requests each symbol and timeframe once per round. */
export function recentOnce(past: CandlePast, signal: AbortSignal): RecentOf {
  const requested = new Map<string, Promise<PastSeries | null>>();
  return (symbol, timeframe = DEFAULT_TIMEFRAME) => {
    const key = `${symbol.sym} ${timeframe}`;
    const known = requested.get(key) ?? past.recent(symbol, signal, timeframe);
    requested.set(key, known);
    return known;
  };
}

/** Groups items that are close in time, in order of time. */
export function spansOf<T>(open: readonly T[], timeOf: (one: T) => number): T[][] {
  const spans: T[][] = [];
  for (const one of open.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    const span = spans.at(-1);
    if (span?.[0] !== undefined && timeOf(one) - timeOf(span[0]) < SPAN_S) span.push(one);
    else spans.push([one]);
  }
  return spans;
}
