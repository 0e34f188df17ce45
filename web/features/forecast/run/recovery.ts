/**
 * Saves a forecast that a closed tab left at the server, wherever the user returns; one still streaming is left alone.
 */
import { useEffect, useRef } from 'react';
import { type ModelName, modelOfBackendName } from '#domain/forecast/models.ts';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import { DEFAULT_AMPLIFY_PERCENT, HISTORY_BARS, HORIZON_BARS, joinPrediction } from '#domain/forecast/window.ts';
import { pause } from '#domain/time/deadline.ts';
import { reportError } from '../../../platform/error-log.ts';
import { knownSymbol } from '../../../site/markets/known-markets.ts';
import { type ChartMarket, isSameMarket } from './chart-market.ts';
import { fetchStoredForecast, fetchUnsaved, savePrediction } from './forecast-api.ts';
import type { ForecastRequest } from './forecast-state.ts';
import { recallRun } from './watched-run.ts';

/** Three times a stream's duration: by then, a live tab has saved its own. */
const LEFT_AFTER_MS = 15_000;

interface Recovered {
  request: ForecastRequest;
  stored: StoredForecast;
  row: PredictionRow | null;
}

/**
 * If the newest is younger than 15 s, checks again when it has reached that age.
 * @param market  only its newest, at any age: the user returned to the market of a stream they had left
 * @returns null when there is none, when another tab was first, and after a failure, which is reported
 */
export async function recoverLast(
  userId: string,
  signal: AbortSignal,
  market: ChartMarket | null = null,
): Promise<Recovered | null> {
  try {
    const left = await findLeft(userId, signal, market);
    if (left === undefined) return null;
    const stored = await fetchStoredForecast(left.id, signal);
    if (stored === null || stored.state === 'spent') return null;
    if (stored.history.length < HISTORY_BARS || stored.forecast.length < HORIZON_BARS) return null;
    const row = await savePrediction(left.request, joinPrediction(stored.history, stored.forecast));
    return { request: left.request, stored, row };
  } catch (error) {
    if (!signal.aborted) reportError(error, { where: 'recovery' });
    return null;
  }
}

/** The request for finishing or saving a forecast started elsewhere: never amplified, never an admin's. */
export function plainRequest(userId: string, { symbol, timeframe }: ChartMarket, model: ModelName): ForecastRequest {
  return { userId, symbol, timeframe, model, ampPercent: DEFAULT_AMPLIFY_PERCENT, isAdmin: false };
}

interface Left {
  id: string;
  ageMs: number;
  request: ForecastRequest;
}

async function findLeft(userId: string, signal: AbortSignal, market: ChartMarket | null): Promise<Left | undefined> {
  const isLeft = ({ ageMs }: Left) => ageMs >= LEFT_AFTER_MS;
  const left = await candidates(userId, signal);
  if (market !== null) return left.find(({ request }) => isSameMarket(request, market));
  const [newest] = left;
  if (newest === undefined || isLeft(newest)) return newest;
  await pause(LEFT_AFTER_MS - newest.ageMs, signal);
  return (await candidates(userId, signal)).find(isLeft);
}

/** Newest first. Forecasts without a sent candle are skipped: no one saw them, and the server refunds their unit. */
async function candidates(userId: string, signal: AbortSignal): Promise<Left[]> {
  const unsaved = await fetchUnsaved(signal);
  signal.throwIfAborted();
  // If the user clicked again within the same minute, this tab itself may be streaming an older one.
  const watchedId = recallRun(userId)?.reservationId;
  return unsaved
    .filter(({ id, candlesSent }) => candlesSent > 0 && id !== watchedId)
    .flatMap(({ id, ageMs, label, timeframe, model }) => {
      const symbol = knownSymbol(label);
      const name = modelOfBackendName(model)?.name;
      if (symbol === null || name === undefined) return [];
      return [{ id, ageMs, request: plainRequest(userId, { symbol, timeframe }, name) }];
    });
}

interface UseRecoveryOptions {
  userId: string;
  /** False until it is known whether there can be any, and for users without any. */
  isEnabled: boolean;
  onRecovered: (recovered: Recovered) => void;
}

export function useRecovery(options: UseRecoveryOptions): void {
  const { userId, isEnabled } = options;
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (!isEnabled) return;
    const abort = new AbortController();
    void recoverLast(userId, abort.signal).then((recovered) => {
      if (recovered !== null && !abort.signal.aborted) latest.current.onRecovered(recovered);
    });
    return () => abort.abort();
  }, [userId, isEnabled]);
}
