/** Closed candles of every symbol, kept fresh from the venue: the one source for /history and for forecasts. */
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';

export interface HistorySlice {
  /** Closed candles, oldest first, strictly rising in time. */
  candles: readonly Candle[];
  marketKind: MarketKind;
  venueId: string;
  /** True inside the symbol's trading hours (always for crypto). */
  isOpen: boolean;
  /** The venue's own time when this was cut, milliseconds; a sandbox market may be far from our clock. */
  nowMs: number;
}

export interface CandleHistory {
  /**
   * The last `count` closed candles; fewer when the venue has no more.
   * @throws AppError `venue/unavailable`
   */
  latest(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<HistorySlice>;
  close(): Promise<void>;
}
