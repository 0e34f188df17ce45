import type { ModelName } from '#domain/forecast/models.ts';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { StoredForecast, StreamStart } from '#domain/forecast/stream-message.ts';
import { HISTORY_BARS, joinPrediction } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { ChartSeries } from '../../../charts/candles/candle-feed.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import type { CandleSource } from './candle-source.ts';
import type { ForecastEvent, ForecastQuery } from './forecast-api.ts';
import type { History, Patience } from './history-api.ts';
import type { ChartMarket } from './market.ts';

export type Phase = 'idle' | 'loading-history' | 'streaming' | 'interrupted' | 'saving' | 'done';

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

/** A whole forecast that was made before, as the chart draws it. */
export interface WholeForecast {
  series: ChartSeries;
  shown: ShownForecast;
  /** Null if unknown: the market of the candles on the chart. */
  marketKind: MarketKind | null;
}

export interface ForecastState {
  phase: Phase;
  /** The running request, until its last candle arrives or it ends otherwise; null without one. */
  activeRequest: ForecastRequest | null;
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
  /** The server is overloaded, and the request waits. */
  isServerBusy: boolean;
  notice: string | null;
  hasHistoryFailed: boolean;
  /** It failed because the server is busy. */
  isMarketBusy: boolean;
  /** The server's message about the failure; null when it sent none. */
  whyFailed: string | null;
  /** The forecast on the chart is among the saved predictions. */
  isSaved: boolean;
}

export const IDLE: ForecastState = {
  phase: 'idle',
  activeRequest: null,
  marketKind: null,
  isMarketOpen: true,
  source: null,
  start: null,
  origin: null,
  closedBy: null,
  isServerBusy: false,
  notice: null,
  hasHistoryFailed: false,
  isMarketBusy: false,
  whyFailed: null,
  isSaved: false,
};

export interface ForecastRequest extends ChartMarket {
  /** Null when no user is signed in: then nothing is requested. */
  userId: string | null;
  model: ModelName;
  ampPercent: number;
  isAdmin: boolean;
}

/** A stream is open or about to open, or its result is being saved. */
export function isRunning({ phase }: ForecastState): boolean {
  return phase === 'loading-history' || phase === 'streaming' || phase === 'saving';
}

/** The forecast being watched in this tab, which a reload can finish and save. */
export interface Remembered {
  reservationId: string;
  userId: string;
  symbolLabel: string;
  timeframe: Timeframe;
  model: ModelName;
}

export interface ReservationMemory {
  remember(entry: Remembered): void;
  /** Returns only this user's own. */
  recall(userId: string): Remembered | null;
  /** Removes the entry if its id matches; without an id, removes any entry. */
  forget(reservationId?: string | null): void;
}

export interface ForecastPorts {
  loadHistory(market: ChartMarket, signal: AbortSignal, patience?: Patience): Promise<History>;
  openStream(
    request: ForecastQuery,
    lastEventId: string | null,
    signal: AbortSignal,
    patience: Patience,
  ): AsyncIterable<ForecastEvent>;
  save(request: ForecastRequest, candles: Candle[]): Promise<PredictionRow | null>;
  loadStored(reservationId: string, signal: AbortSignal): Promise<StoredForecast | null>;
  memory: ReservationMemory;
  notify(message: string): void;
  report(error: unknown, context: Record<string, unknown>): void;
  /** An open stream ended for any reason: the quota may have changed, and `row` may be new. */
  onEnded(row: PredictionRow | null): void;
}

/** A stream that does not match its request. */
function badMessage(): CallError {
  return new CallError('stream/bad-message', UNREADABLE, 0);
}

export interface StreamClosing {
  code: string;
  reason: CloseReason;
  notice: string;
  /** Whether it belongs in the error log; a refusal does not. */
  isReported: boolean;
  /** The server has decided, so this run has nothing left to finish. */
  isDecided: boolean;
}

/** The server did nothing yet: a run in progress can still continue. */
export const SERVER_BUSY = 'server/busy';

const REASONS: Readonly<Record<string, CloseReason>> = {
  'stream/lost': 'connection-lost',
  'stream/error-message': 'error-message',
  'stream/bad-json': 'bad-message',
  'stream/bad-message': 'bad-message',
  'stream/other-history': 'history-failed',
};

/** Interprets any error thrown by a stream, a call or our own checks. */
export function closingOf(error: unknown): StreamClosing {
  if (!(error instanceof CallError)) {
    return { code: 'unknown', reason: 'bad-message', notice: UNREADABLE, isReported: true, isDecided: false };
  }
  const { code, message, status } = error;
  const reason = REASONS[code] ?? (status > 0 ? 'refused' : 'connection-lost');
  const isDecided = code !== SERVER_BUSY && (reason === 'refused' || reason === 'error-message');
  return { code, reason, notice: message, isReported: reason !== 'refused', isDecided };
}

/** The server's message of a refusal; null for any other error. */
export function serverMessageOf(error: unknown): string | null {
  return error instanceof CallError && error.status > 0 ? error.message : null;
}

export const HISTORY_FAILED = 'Failed to load';
export const LOST = 'The connection was lost.';
const UNREADABLE = 'We couldn’t read the forecast.';

export interface Run {
  request: ForecastRequest;
  history: Candle[];
  forecast: Candle[];
  start: StreamStart | null;
  lastEventId: string | null;
  abort: AbortController;
}

export function newRun(request: ForecastRequest, history: Candle[], abort: AbortController): Run {
  return { request, history, forecast: [], start: null, lastEventId: null, abort };
}

export function storedRun(request: ForecastRequest, stored: StoredForecast, abort: AbortController): Run {
  return { ...newRun(request, stored.history, abort), start: stored.start, forecast: stored.forecast };
}

export function wholeOfStored(stored: StoredForecast): WholeForecast {
  const { t0, band, ampPercent, marketKind } = stored.start;
  return { series: { candles: predictionOf(stored), joinS: t0, band, ampPercent }, shown: stored.start, marketKind };
}

/** The 200 candles to save. */
export function predictionOf({ history, forecast }: Pick<Run, 'history' | 'forecast'>): Candle[] {
  return joinPrediction(history, forecast);
}

/** Real candles for an interrupted run: those the model read, or the latest. */
export function realCandlesOf({ history, start }: Run): Candle[] {
  return endingAt(history, start?.t0 ?? null) ?? history.slice(-HISTORY_BARS);
}

/** @throws CallError when the stream does not match the request */
export function acceptStart(run: Run, start: StreamStart, memory: ForecastPorts['memory']): void {
  const { userId, symbol, timeframe, model } = run.request;
  const isOfMarket = start.sym === symbol.sym && (start.timeframe ?? DEFAULT_TIMEFRAME) === timeframe;
  if (!isOfMarket || start.model !== model) throw badMessage();
  run.start = start;
  const { reservationId } = start;
  if (reservationId !== null && userId !== null) {
    memory.remember({ reservationId, userId, symbolLabel: symbol.label, timeframe, model });
  }
}

/** They end where the model stopped reading; another may have closed since. @throws CallError when unavailable */
export async function historyUpTo(
  start: StreamStart,
  run: Run,
  loadHistory: ForecastPorts['loadHistory'],
  signal: AbortSignal,
): Promise<Candle[]> {
  const known = endingAt(run.history, start.t0);
  if (known !== null) return known;
  const reloaded = await loadHistory(run.request, signal).catch((error: unknown) => {
    throw new CallError('stream/other-history', HISTORY_FAILED, 0, error);
  });
  const found = endingAt(reloaded.candles, start.t0);
  if (found === null) throw new CallError('stream/other-history', HISTORY_FAILED, 0);
  return found;
}

/** @returns false for one sent again after a resume  @throws CallError for one that skips another */
export function acceptCandle(run: Run, candle: Candle): boolean {
  if (run.start === null) throw badMessage();
  const expectedS = run.start.t0 + barSecondsOf(run.request.timeframe) * (run.forecast.length + 1);
  if (candle.time < expectedS) return false;
  if (candle.time > expectedS) throw badMessage();
  run.forecast.push(candle);
  return true;
}

/** The last 150 candles up to and including `t0`; null when `t0` or enough candles are missing. */
function endingAt(history: readonly Candle[], t0: number | null): Candle[] | null {
  const end = history.findLastIndex((candle) => candle.time === t0);
  return end + 1 < HISTORY_BARS ? null : history.slice(end + 1 - HISTORY_BARS, end + 1);
}
