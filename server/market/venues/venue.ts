/** A market we draw from. Foreign words and shapes stop at the codec; what leaves here is ours. */
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';

export interface CandleUpdate {
  symbol: MarketSymbol;
  candle: Candle;
  isClosed: boolean;
}

/** A source of one-minute candles. Every connector passes the same contract test. */
export interface Venue {
  readonly id: string;
  /** Whose prices these are, as the screen names it: `Binance USD-M futures`. */
  readonly attribution: string;
  /** How late its prices are by its own terms, seconds; 0 where they are as they happen. Told on the screen. */
  readonly delayS: number;
  supports(symbol: MarketSymbol): boolean;
  /**
   * Closed one-minute candles, oldest first, well-formed, strictly rising in time; the open candle is never among them.
   * Minutes without trade may be missing. Fewer than `count` only when the venue has no more.
   * @throws AppError `venue/unavailable`
   */
  candles(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]>;
  /** Live updates of all given symbols over one connection (or by asking); reconnects by itself until `signal` aborts. */
  updates(symbols: readonly MarketSymbol[], signal: AbortSignal): AsyncIterable<CandleUpdate>;
  /** The market's own time, milliseconds: of a delayed feed it lies `delayS` back, of a fast sandbox market ahead. */
  nowMs(): number;
  /** Rows and messages dropped as malformed since the start. */
  readonly malformed: number;
}
