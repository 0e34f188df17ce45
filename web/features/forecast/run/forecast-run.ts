/** One forecast from its request to the saved prediction: what messages, errors and the server's answer do to it. */
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { StoredForecast, StreamStart } from '#domain/forecast/stream-message.ts';
import { HISTORY_BARS, joinPrediction } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { reportError } from '../../../platform/error-log.ts';
import { fetchHistory } from './fetch-history.ts';
import { type ForecastEvent, savePrediction } from './forecast-api.ts';
import type { CloseReason, ForecastRequest, ForecastRun } from './forecast-state.ts';
import { forgetRun, rememberRun } from './watched-run.ts';

export function newRun(request: ForecastRequest, history: Candle[]): ForecastRun {
  return { request, history, forecast: [], start: null, lastEventId: null };
}

export function storedRun(request: ForecastRequest, { history, forecast, start }: StoredForecast): ForecastRun {
  return { request, history, forecast, start, lastEventId: null };
}

/** Real candles for an interrupted run: those the model read, or the latest. */
export function realCandlesOf({ history, start }: ForecastRun): Candle[] {
  return endingAt(history, start?.t0 ?? null) ?? history.slice(-HISTORY_BARS);
}

/**
 * @returns whether the chart has something to draw; no if `signal` aborted meanwhile
 * @throws CallError for the server's error, and for an event that does not fit
 */
export async function acceptEvent(run: ForecastRun, event: ForecastEvent, signal: AbortSignal): Promise<boolean> {
  if (event.type === 'error') throw new CallError('stream/error-message', event.message, 0);
  const isNew = event.type === 'start' ? await acceptStart(run, event.start, signal) : acceptCandle(run, event.candle);
  run.lastEventId = event.id ?? run.lastEventId;
  return isNew && !signal.aborted;
}

/** @returns false for one sent again after a resume */
async function acceptStart(run: ForecastRun, start: StreamStart, signal: AbortSignal): Promise<boolean> {
  if (run.start !== null) return false;
  const { userId, symbol, timeframe, model } = run.request;
  const isOfMarket = start.sym === symbol.sym && (start.timeframe ?? DEFAULT_TIMEFRAME) === timeframe;
  if (!isOfMarket || start.model !== model) throw badMessage();
  run.start = start;
  const { reservationId } = start;
  if (reservationId !== null && userId !== null) {
    rememberRun({ reservationId, userId, symbolLabel: symbol.label, timeframe, model });
  }
  run.history = await historyUpTo(start, run, signal);
  return true;
}

/** They end where the model stopped reading; another may have closed since. @throws CallError when unavailable */
async function historyUpTo(start: StreamStart, run: ForecastRun, signal: AbortSignal): Promise<Candle[]> {
  const known = endingAt(run.history, start.t0);
  if (known !== null) return known;
  const reloaded = await fetchHistory(run.request, signal).catch((error: unknown) => {
    throw new CallError('stream/other-history', HISTORY_FAILED, 0, error);
  });
  const found = endingAt(reloaded.candles, start.t0);
  if (found === null) throw new CallError('stream/other-history', HISTORY_FAILED, 0);
  return found;
}

/** @returns false for one sent again after a resume  @throws CallError for one that skips another */
function acceptCandle(run: ForecastRun, candle: Candle): boolean {
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

interface SaveOutcome {
  isSaved: boolean;
  /** Null when nothing was saved, and when the server did not send the row. */
  row: PredictionRow | null;
}

/** A failure to save is reported but not shown (R-FORECAST-14). */
export async function saveRun(run: ForecastRun): Promise<SaveOutcome> {
  try {
    const row = await savePrediction(run.request, joinPrediction(run.history, run.forecast));
    dropFromTab(run);
    return { isSaved: true, row };
  } catch (error) {
    // Only an answer means a decision; after a lost connection, a reload may still save.
    if (closingOf(error).isDecided) dropFromTab(run);
    reportError(error, { where: 'create-prediction' });
    return { isSaved: false, row: null };
  }
}

/** A reload no longer looks for it. Leaves the entry of a later run of this tab in place. */
export function dropFromTab({ start }: ForecastRun): void {
  forgetRun(start?.reservationId ?? null);
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
export const HISTORY_FAILED = 'Failed to load';
const UNREADABLE = 'We couldn’t read the forecast.';

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

/** A stream that does not match its request. */
function badMessage(): CallError {
  return new CallError('stream/bad-message', UNREADABLE, 0);
}
