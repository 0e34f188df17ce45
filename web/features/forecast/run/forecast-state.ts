/** State of the forecast panel's run: one record, replaced at each transition. */
import type { ModelName } from '#domain/forecast/models.ts';
import type { StreamStart } from '#domain/forecast/stream-message.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { CandleSource } from '../panel/candle-source.ts';

export type Phase = 'idle' | 'loading-history' | 'streaming' | 'interrupted' | 'saving' | 'done';

/** Why the last stream ended. */
export type CloseReason =
  | 'finished'
  | 'refused'
  | 'error-message'
  | 'bad-message'
  | 'connection-lost'
  | 'history-failed'
  | 'no-user'
  | 'selection-changed'
  | 'cancelled'
  | 'left';

export interface ForecastState {
  phase: Phase;
  /** The running request, until its last candle arrives or it ends otherwise; null without one. */
  pressed: ForecastRequest | null;
  /** Origin of the candles on the chart; null without candles, and when the server did not report it. */
  marketKind: MarketKind | null;
  /** False when the market of the candles on the chart is known to be closed. */
  isMarketOpen: boolean;
  /** Source, delay and age of the candles on the chart; null until some were loaded. */
  source: CandleSource | null;
  /** Start message of the forecast on the chart; null without one. */
  start: StreamStart | null;
  closedBy: CloseReason | null;
  /** The server is overloaded, and the request waits. */
  isServerBusy: boolean;
  /** One sentence about a failure; null without one. */
  notice: string | null;
  hasHistoryFailed: boolean;
  /** The server's message about the failure; null when it sent none. */
  whyFailed: string | null;
  /** The forecast on the chart is among the saved predictions. */
  isSaved: boolean;
}

export const IDLE: ForecastState = {
  phase: 'idle',
  pressed: null,
  marketKind: null,
  isMarketOpen: true,
  source: null,
  start: null,
  closedBy: null,
  isServerBusy: false,
  notice: null,
  hasHistoryFailed: false,
  whyFailed: null,
  isSaved: false,
};

export interface ForecastRequest {
  /** Null when no user is signed in: then nothing is requested. */
  userId: string | null;
  symbol: MarketSymbol;
  model: ModelName;
  ampPercent: number;
  isAdmin: boolean;
}

/** A stream is open or about to open, or its result is being saved. */
export function isRunning({ phase }: ForecastState): boolean {
  return phase === 'loading-history' || phase === 'streaming' || phase === 'saving';
}
