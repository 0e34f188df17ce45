/**
 * The state of the big chart of a signed-in user. Only forecast-machine.ts changes it.
 *
 *     show     idle -> loading-history -> idle
 *     predict  idle -> loading-history -> streaming -> saving -> done    an admin's forecast is not saved
 *     resume   interrupted -> streaming                                  after a connection that was lost
 *     restore  loading-history -> saving -> done                         after a reload
 *     present  any -> done
 *     play     any -> idle
 *     close    any but done -> idle, as after any other failure
 */
import type { ModelName } from '#domain/forecast/models.ts';
import type { StreamStart } from '#domain/forecast/stream-message.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { CandleSource } from '../../../site/candle-source.ts';
import type { ChartMarket } from './chart-market.ts';

export interface ForecastRequest extends ChartMarket {
  /** Null when no user is signed in: then nothing is requested. */
  userId: string | null;
  model: ModelName;
  ampPercent: number;
  isAdmin: boolean;
}

/** A stream and what has arrived of it. It grows with each message, which the chart draws without a render. */
export interface ForecastRun {
  request: ForecastRequest;
  history: Candle[];
  forecast: Candle[];
  start: StreamStart | null;
  lastEventId: string | null;
}

/** Why a run ended, or never began. */
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

/** What the page writes about the forecast on the chart. */
export type ShownForecast = Pick<StreamStart, 'model' | 'issuedAtMs' | 'ampPercent'>;

/**
 * `run`: by the user's click. `returned`: saved, and its 50 candles are not over. `opened`: a saved one that the user
 * opened. `shared`: the public one, for users without a plan.
 */
export type Origin = 'run' | 'returned' | 'opened' | 'shared';

/** Known in every phase. */
interface ChartFacts {
  /** The market that the chart shows or loads; null before the first one, and once the page is left. */
  market: ChartMarket | null;
  /** Its latest candles are on the chart: false for an empty chart and for a stored forecast. */
  hasHistory: boolean;
  /** The last history failed to load. Lasts until one loads. */
  isHistoryFailing: boolean;
  /** Origin of the candles on the chart; null without candles, and when the server did not report it. */
  marketKind: MarketKind | null;
  /** False when the market of the candles on the chart is known to be closed. */
  isMarketOpen: boolean;
  /** Source, delay and age of the candles on the chart; null until some were loaded. */
  source: CandleSource | null;
  /** The forecast on the chart; null without one. */
  start: ShownForecast | null;
  /** How it came onto the chart; null without one. */
  origin: Origin | null;
  closedBy: CloseReason | null;
}

interface HistoryFailure {
  isServerBusy: boolean;
  /** The server's message about it; null when it sent none. */
  message: string | null;
}

/** Nothing runs. */
interface Idle extends ChartFacts {
  phase: 'idle';
  notice: string | null;
  /** Why there are no newer candles; null if the last ones loaded. */
  historyFailure: HistoryFailure | null;
}

/** Candles load, before a stream if there is a `request`. */
interface LoadingHistory extends ChartFacts {
  phase: 'loading-history';
  request: ForecastRequest | null;
  /** The server is overloaded, and the request waits. */
  isServerBusy: boolean;
}

/** A stream is open or about to open. */
interface Streaming extends ChartFacts {
  phase: 'streaming';
  run: ForecastRun;
  isServerBusy: boolean;
}

/** The stream broke off, and can continue after its last candle. */
interface Interrupted extends ChartFacts {
  phase: 'interrupted';
  run: ForecastRun;
  notice: string;
}

/** All candles have arrived. */
interface Saving extends ChartFacts {
  phase: 'saving';
  run: ForecastRun;
}

/** A whole forecast is on the chart. */
interface Done extends ChartFacts {
  phase: 'done';
  /** Null for a forecast that was stored before. */
  run: ForecastRun | null;
  isSaved: boolean;
}

export type ForecastState = Idle | LoadingHistory | Streaming | Interrupted | Saving | Done;

export const NO_CANDLES = { hasHistory: false, marketKind: null, isMarketOpen: true, source: null } as const;

export const NO_FORECAST = { start: null, origin: null, closedBy: null } as const;

export const IDLE = { phase: 'idle', notice: null, historyFailure: null } as const;

export const EMPTY_CHART: Idle = { market: null, isHistoryFailing: false, ...NO_CANDLES, ...NO_FORECAST, ...IDLE };

/** Without what only its phase knows. */
export function chartFacts(state: ForecastState): ChartFacts {
  const { market, hasHistory, isHistoryFailing, marketKind, isMarketOpen, source, start, origin, closedBy } = state;
  return { market, hasHistory, isHistoryFailing, marketKind, isMarketOpen, source, start, origin, closedBy };
}

/** Candles load, a stream is open or about to open, or its result is being saved. */
export function isRunning({ phase }: ForecastState): boolean {
  return phase === 'loading-history' || phase === 'streaming' || phase === 'saving';
}

/** The running request, until its last candle arrives or it ends otherwise; null without one. */
export function activeRequest(state: ForecastState): ForecastRequest | null {
  if (state.phase === 'loading-history') return state.request;
  return state.phase === 'streaming' || state.phase === 'interrupted' ? state.run.request : null;
}

/** The forecast on the chart is among the saved predictions. */
export function isSaved(state: ForecastState): boolean {
  return state.phase === 'done' && state.isSaved;
}

/** Nothing has run since the panel opened. `left` remains when React mounts the page twice. */
export function isUntouched({ phase, closedBy, origin }: ForecastState): boolean {
  return origin === 'returned' || (phase === 'idle' && (closedBy === null || closedBy === 'left'));
}

/** Only the market is on the chart. */
export function isBare(state: ForecastState): boolean {
  return state.phase === 'idle' && state.start === null && state.historyFailure === null;
}
