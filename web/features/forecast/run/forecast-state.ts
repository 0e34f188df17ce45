/** What the forecast panel knows about its run; one record, replaced at each transition. */
import type { ModelName } from '#domain/forecast/models.ts';
import type { StreamStart } from '#domain/forecast/stream-message.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { ToldSource } from '../panel/candle-source.ts';

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
  /** What was pressed for, until its last candle is there or it ends otherwise; null while nothing was. */
  pressed: ForecastRequest | null;
  /** Where the candles on the chart come from; null while none are there, and when the server did not say. */
  marketKind: MarketKind | null;
  /** False when the market of the candles on the chart is known to be closed. */
  isMarketOpen: boolean;
  /** Whose the candles on the chart are, how late and how old; null while none were loaded. */
  source: ToldSource | null;
  /** Of the forecast on the chart; null while there is none. */
  start: StreamStart | null;
  closedBy: CloseReason | null;
  /** The server has no room yet for what was pressed for, which waits. */
  isServerBusy: boolean;
  /** One sentence about what went wrong; null while nothing did. */
  notice: string | null;
  hasHistoryFailed: boolean;
  /** The server's sentence for it; null when it gave none. */
  whyFailed: string | null;
  /** The forecast on the chart stands among the saved predictions. */
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
  /** Null when nobody is signed in: then nothing is asked of the server. */
  userId: string | null;
  symbol: MarketSymbol;
  model: ModelName;
  ampPercent: number;
  isAdmin: boolean;
}

/** A stream is open, or about to be. */
export function isRunning({ phase }: ForecastState): boolean {
  return phase === 'loading-history' || phase === 'streaming' || phase === 'saving';
}
