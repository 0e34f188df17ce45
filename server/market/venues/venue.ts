/** A market that we read. Foreign names and formats stop at the codec; a venue returns our own types. */
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { Core } from '../../core.ts';
import type { SocketTiming } from './transport/upstream-socket.ts';

export interface CandleUpdate {
  symbol: MarketSymbol;
  candle: Candle;
  isClosed: boolean;
}

/** An update of the venue that readers of the symbol get. */
export interface ServedUpdate extends CandleUpdate {
  venueId: string;
}

/** A source of candles. Every connector passes the same contract test. */
export interface Venue {
  readonly id: string;
  /** Source of the prices as shown on screen: `Binance USD-M futures`. */
  readonly attribution: string;
  /** The venue's stated delay of its prices, seconds; 0 for real-time ones. Shown on screen. */
  readonly delayS: number;
  supports(symbol: MarketSymbol): boolean;
  /**
   * Oldest first, well-formed, strictly rising in time, never the open one. Minutes without trade may be missing; fewer
   * than `count` only when the venue has no more. @throws AppError `venue/unavailable`
   * @param timeframe  absent: one minute. A longer bar is the venue's own, or is added up from whole minutes
   */
  candles(symbol: MarketSymbol, count: number, signal: AbortSignal, timeframe?: Timeframe): Promise<Candle[]>;
  /** Live one-minute updates of all given symbols over one connection (or by polling); reconnects until `signal` aborts. */
  updates(symbols: readonly MarketSymbol[], signal: AbortSignal): AsyncIterable<CandleUpdate>;
  /** The market's own time, milliseconds: `delayS` behind for a delayed feed, ahead for a fast sandbox market. */
  nowMs(): number;
  /** Rows and messages dropped as malformed since the start. */
  readonly malformed: number;
}

/** A venue's part of the catalogue. */
export interface VenueProducts {
  isTraded(sym: string): boolean;
  /** The venue's own name; null for a product that it does not list. */
  productIdOf(sym: string): string | null;
}

export interface VenueOptions extends Pick<Core, 'clock' | 'log'> {
  restUrl: string;
  wsUrl: string;
  /** Symbols it may be called for; each venue ignores those it does not trade. */
  symbols: readonly MarketSymbol[];
  /** Products besides: what the venue lists and trades now. Absent: none. */
  products?: VenueProducts | undefined;
  fetch?: typeof fetch | undefined;
  timeoutMs?: number | undefined;
  socketTiming?: Partial<SocketTiming> | undefined;
}
