/** Closed candles of every symbol, kept fresh from its venue: the one source for /history and for forecasts. */

import { isInWeek, isOpen, lastOpenMinute } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';

export interface HistorySlice {
  /** Closed candles of one venue, oldest first, strictly rising in time. */
  candles: readonly Candle[];
  marketKind: MarketKind;
  venueId: string;
  /** Whose prices these are, as the screen names it. */
  attribution: string;
  /** How late the prices are by the venue's own terms, seconds. */
  delayS: number;
  /** Opening second of the last candle; null without any. */
  asOfS: number | null;
  /**
   * The candles end more than two minutes before they should, or come from the store and their venue has not confirmed
   * them yet: nobody may draw conclusions about now from them.
   */
  isStale: boolean;
  /** True inside the symbol's trading hours (always for crypto). */
  isOpen: boolean;
  /** The venue's own time when this was cut, milliseconds; a delayed or a sandbox market may be far from our clock. */
  nowMs: number;
}

export interface CandleHistory {
  /**
   * The last `count` closed candles; fewer when the venue has no more, and older than they should be (`isStale`) while no
   * venue of the symbol answers.
   * @throws AppError `venue/unavailable` where there is none at all, `venue/not-connected` where no venue is set up for it
   */
  latest(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<HistorySlice>;
  close(): Promise<void>;
}

/** The newest candles may be missing this long before the rest is called stale. Source: market facts, section 4. */
export const MAX_LAG_S = 2 * MINUTE_S;
/** Outside trading hours the session's last minutes may have had no trade. */
const MAX_QUIET_END_S = 3600;

/** @param lastS  opening second of the last candle; null: there is none */
export function isStaleAt(symbol: MarketSymbol, kind: MarketKind, lastS: number | null, nowMs: number): boolean {
  if (lastS === null) return true;
  const dueS = lastTradedMinute(symbol, kind, nowMs / 1000 - MINUTE_S - MAX_LAG_S);
  return lastS < dueS - (isTradedAt(symbol, kind, nowMs / 1000) ? 0 : MAX_QUIET_END_S);
}

/** A replay plays days of its own: today's holidays are none of theirs. */
export function isTradedAt({ hours }: MarketSymbol, kind: MarketKind, epochS: number): boolean {
  return kind === 'replayed' ? isInWeek(hours, epochS) : isOpen(hours, epochS);
}

/** Opening second of the last traded minute at or before the one that holds `epochS`. */
export function lastTradedMinute(symbol: MarketSymbol, kind: MarketKind, epochS: number): number {
  const isTraded = isTradedAt(symbol, kind, epochS);
  return isTraded ? Math.floor(epochS / MINUTE_S) * MINUTE_S : lastOpenMinute(symbol.hours, epochS);
}
