import { isInWeek, isOpen, lastOpenMinute } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';

export interface HistorySlice {
  /** Closed candles of one venue and one timeframe, oldest first, strictly rising in time. */
  candles: readonly Candle[];
  marketKind: MarketKind;
  venueId: string;
  /** Source of the prices as shown on screen. */
  attribution: string;
  /** The venue's stated delay of its prices, seconds. */
  delayS: number;
  /** Opening second of the last candle; null without any. */
  asOfS: number | null;
  /** They end over two minutes early, or their venue has not confirmed them yet: no basis for conclusions about now. */
  isStale: boolean;
  /** True inside the symbol's trading hours (always for crypto). */
  isOpen: boolean;
  /** The venue's own time of this slice, milliseconds; a delayed or sandbox market may be far from our clock. */
  nowMs: number;
}

export interface CandleHistory {
  /**
   * The last `count` closed candles: fewer when the venue has no more, stale ones (`isStale`) while no venue answers.
   * @param timeframe  absent: one minute. A longer one is fetched and stored only while it is read
   * @throws AppError `venue/unavailable` without any candle, `venue/not-connected` when no venue is configured for it
   */
  latest(symbol: MarketSymbol, count: number, signal: AbortSignal, timeframe?: Timeframe): Promise<HistorySlice>;
  close(): Promise<void>;
}

/** The newest candles may be missing this long before the rest counts as stale. */
export const MAX_LAG_S = 2 * MINUTE_S;
/** Outside trading hours the session's last minutes may have had no trade. */
const MAX_QUIET_END_S = 3600;

/** @param lastS  opening second of the last candle; null without any */
export function isStaleAt(
  symbol: MarketSymbol,
  kind: MarketKind,
  lastS: number | null,
  nowMs: number,
  timeframe: Timeframe = DEFAULT_TIMEFRAME,
): boolean {
  if (lastS === null) return true;
  const dueS = lastTradedBar(symbol, kind, nowMs / 1000 - barSecondsOf(timeframe) - MAX_LAG_S, timeframe);
  return lastS < dueS - (isTradedAt(symbol, kind, nowMs / 1000) ? 0 : MAX_QUIET_END_S);
}

/** A replay plays past days, so today's holidays do not apply. */
export function isTradedAt({ hours }: MarketSymbol, kind: MarketKind, epochS: number): boolean {
  return kind === 'replayed' ? isInWeek(hours, epochS) : isOpen(hours, epochS);
}

/** Opening second of the last bar with a traded minute at or before the one that holds `epochS`. */
export function lastTradedBar(symbol: MarketSymbol, kind: MarketKind, epochS: number, timeframe: Timeframe): number {
  const minuteS = isTradedAt(symbol, kind, epochS) ? epochS : lastOpenMinute(symbol.hours, epochS);
  return floorBarS(minuteS, barSecondsOf(timeframe));
}

/** Opening second of the bar that holds `epochS`; bars open at whole multiples of their length, in UTC. */
export function floorBarS(epochS: number, barS: number): number {
  return Math.floor(epochS / barS) * barS;
}
