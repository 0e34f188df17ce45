/** Finds where the price first left a forecast's 95% band, by closes alone: a wick that returns does not count. */
import { HORIZON_BARS } from '../forecast/window.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '../market/timeframes.ts';

export interface BandAndCloses {
  /** By bar, oldest first; null for a bar without a candle, or without one from the forecast's own venue. */
  closes: readonly (number | null)[];
  lower: readonly number[];
  upper: readonly number[];
  /** First bar to check, 1 to 50; beyond 50 nothing is checked. */
  fromBar: number;
}

export interface BandBreak {
  bar: number;
  close: number;
  lower: number;
  upper: number;
}

/** Null when every known close is inside. A close on the edge is inside. */
export function firstBreak({ closes, lower, upper, fromBar }: BandAndCloses): BandBreak | null {
  for (let bar = Math.max(1, fromBar); bar <= HORIZON_BARS; bar++) {
    const [close, low, high] = [closes[bar - 1], lower[bar - 1], upper[bar - 1]];
    if (close == null || low === undefined || high === undefined) continue;
    if (close < low || close > high) return { bar, close, lower: low, upper: high };
  }
  return null;
}

/** The first bar that closes after `sinceS` (market time); beyond 50 when all have closed by then. */
export function firstBarAfter(joinS: number, sinceS: number, timeframe: Timeframe = DEFAULT_TIMEFRAME): number {
  // Bar b opens b bars after the join and closes one bar later.
  return Math.max(1, Math.floor((sinceS - joinS) / barSecondsOf(timeframe)));
}
