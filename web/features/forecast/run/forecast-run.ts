/** One run of a prediction: the request, the data received so far, and checks on the next message. */
import type { StoredForecast, StreamStart } from '#domain/forecast/stream-message.ts';
import { HISTORY_BARS, joinPrediction } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { CallError } from '../../../platform/calls/call-error.ts';
import { badMessage, HISTORY_FAILED } from './forecast-closing.ts';
import type { ForecastPorts } from './forecast-ports.ts';
import type { ForecastRequest } from './forecast-state.ts';

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

/** The run of a forecast stored at the server: all of it has arrived. */
export function storedRun(request: ForecastRequest, stored: StoredForecast, abort: AbortController): Run {
  return { ...newRun(request, stored.history, abort), start: stored.start, forecast: stored.forecast };
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
  const { userId, symbol, model } = run.request;
  if (start.sym !== symbol.sym || start.model !== model) throw badMessage();
  run.start = start;
  const { reservationId } = start;
  if (reservationId !== null && userId !== null) {
    memory.remember({ reservationId, userId, symbolLabel: symbol.label, model });
  }
}

/**
 * The 150 candles that end where the model stopped reading; a minute may have turned since they were loaded.
 * @throws CallError when they are unavailable
 */
export async function historyUpTo(
  start: StreamStart,
  run: Run,
  loadHistory: ForecastPorts['loadHistory'],
  signal: AbortSignal,
): Promise<Candle[]> {
  const known = endingAt(run.history, start.t0);
  if (known !== null) return known;
  const reloaded = await loadHistory(run.request.symbol, signal).catch((error: unknown) => {
    throw new CallError('stream/other-history', HISTORY_FAILED, 0, error);
  });
  const found = endingAt(reloaded.candles, start.t0);
  if (found === null) throw new CallError('stream/other-history', HISTORY_FAILED, 0);
  return found;
}

/**
 * @returns whether the candle is new; after a resume some are sent again
 * @throws CallError for a candle that skips a minute
 */
export function acceptCandle(run: Run, candle: Candle): boolean {
  if (run.start === null) throw badMessage();
  const expectedS = run.start.t0 + MINUTE_S * (run.forecast.length + 1);
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
