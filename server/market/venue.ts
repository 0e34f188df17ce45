/** A market we draw from. Foreign words and shapes stop at the codec; what leaves here is ours. */
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';

export interface CandleUpdate {
  symbol: MarketSymbol;
  candle: Candle;
  isClosed: boolean;
}

export interface Venue {
  readonly id: string;
  supports(symbol: MarketSymbol): boolean;
  /**
   * Closed one-minute candles, oldest first, well-formed, strictly rising in time; the open candle is never among them.
   * @throws AppError `venue/unavailable`
   */
  candles(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]>;
  /** Live updates of all given symbols over one connection; reconnects by itself until `signal` aborts. */
  updates(symbols: readonly MarketSymbol[], signal: AbortSignal): AsyncIterable<CandleUpdate>;
}
