import * as z from 'zod/mini';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import { createPredictionAnswerSchema, type PredictionRow, predictionRowSchema } from '#domain/forecast/prediction.ts';
import {
  START_EVENT,
  type StoredForecast,
  type StreamStart,
  storedForecastSchema,
  streamCandleSchema,
  streamErrorSchema,
  streamStartSchema,
  type UnsavedForecast,
  unsavedForecastsSchema,
} from '#domain/forecast/stream-message.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { type Candle, candleSchema } from '#domain/market/candle.ts';
import { MARKET_KINDS } from '#domain/market/symbols.ts';
import { CallError, refusalIn } from '../../../platform/calls/call-error.ts';
import { readEventStream, type StreamedEvent } from '../../../platform/calls/event-stream.ts';
import { callFunction } from '../../../platform/calls/functions.ts';
import { routeUrl } from '../../../platform/calls/route-url.ts';
import { type Patience, retryingFetch } from '../../../platform/calls/shed-retry.ts';
import { callTables } from '../../../platform/supabase.ts';
import { accessToken, bearerHeader } from '../../../session/session.ts';
import { queryOf } from '../../../site/history-api.ts';
import type { ChartMarket } from './chart-market.ts';

export interface ForecastQuery extends ChartMarket {
  model: ModelName;
  ampPercent: number;
}

export type ForecastEvent =
  | { type: 'start'; id: string | null; start: StreamStart }
  | { type: 'candle'; id: string | null; candle: Candle }
  | { type: 'error'; message: string; code: string | null };

/**
 * @param lastEventId  resumes a stream after the last received candle
 * @throws CallError with the server's code and message, `stream/lost`, or `stream/bad-json`
 */
export async function* openForecastStream(
  { model, ampPercent, ...market }: ForecastQuery,
  lastEventId: string | null,
  signal: AbortSignal,
  patience?: Patience,
): AsyncGenerator<ForecastEvent> {
  const url = routeUrl('/stream-kat2', { ...queryOf(market, ampPercent), ver: MODELS[model].version });
  const token = await accessToken();
  const options = { token, lastEventId, signal, patience };
  for await (const event of readEventStream(url, options)) yield readForecastEvent(event);
}

/** @throws CallError `stream/bad-json` for anything that is not one of the messages */
export function readForecastEvent(event: StreamedEvent): ForecastEvent {
  const body = parsedJson(event.data);
  const failure = streamErrorSchema.safeParse(body);
  if (failure.success) return { type: 'error', message: failure.data.error, code: failure.data.code ?? null };
  if (event.event === START_EVENT) {
    const start = streamStartSchema.safeParse(body);
    if (start.success) return { type: 'start', id: event.id, start: start.data };
  } else {
    const candle = streamCandleSchema.safeParse(body);
    if (candle.success) return { type: 'candle', id: event.id, candle: candle.data };
  }
  throw new CallError('stream/bad-json', 'We couldn’t read the forecast.', 0);
}

/** @returns null when the forecast is no longer stored, or never was this user's */
export async function fetchStoredForecast(id: string, signal: AbortSignal): Promise<StoredForecast | null> {
  const response = await retryingFetch(`/forecast/reservations/${encodeURIComponent(id)}`, {
    headers: { accept: 'application/json', ...(await bearerHeader()) },
    signal,
    cache: 'no-store',
  });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`GET /forecast/reservations answered ${response.status}.`);
  return storedForecastSchema.parse(await response.json());
}

/** The caller's forecasts of the last ten minutes that can still be saved, newest first. */
export async function fetchUnsaved(signal: AbortSignal): Promise<UnsavedForecast[]> {
  const response = await retryingFetch('/forecast/reservations', {
    headers: { accept: 'application/json', ...(await bearerHeader()) },
    signal,
    cache: 'no-store',
  });
  if (!response.ok) throw new Error(`GET /forecast/reservations answered ${response.status}.`);
  return unsavedForecastsSchema.parse(await response.json()).reservations;
}

/**
 * Saves 200 candles, which uses one of the quota. @throws CallError when the server refused, or could not be reached
 */
export async function savePrediction(
  { model, symbol, timeframe }: ChartMarket & { model: ModelName },
  data: Candle[],
): Promise<PredictionRow | null> {
  const body = { model: MODELS[model].backendName, cryptocurrency: symbol.label, timeframe, data };
  const answer = await callFunction('create-prediction', body);
  const { ok, row = null } = createPredictionAnswerSchema.parse(answer);
  if (!ok) {
    const { message = 'create-prediction was refused.' } = refusalIn(answer) ?? {};
    throw new CallError('prediction/refused', message, 200);
  }
  return row;
}

/** The user's newest prediction of a market; null for none. @throws Error, also after 15 seconds */
export async function fetchNewest(
  userId: string,
  { symbol, timeframe }: ChartMarket,
  signal: AbortSignal,
): Promise<PredictionRow | null> {
  const { data } = await callTables(FAILED, signal, (client, limited) =>
    client
      .from('user_predictions')
      .select('*')
      .eq('user_id', userId)
      .eq('cryptocurrency', symbol.label)
      .eq('timeframe', timeframe)
      .order('created_at', { ascending: false })
      .limit(1)
      .abortSignal(limited),
  );
  return firstRow(data);
}

/** Null for an id that is not among the user's predictions. @throws Error, also after 15 seconds */
export async function fetchSaved(id: string, signal: AbortSignal): Promise<PredictionRow | null> {
  const { data } = await callTables(FAILED, signal, (client, limited) =>
    client.from('user_predictions').select('*').eq('id', id).limit(1).abortSignal(limited),
  );
  return firstRow(data);
}

const savedOutcomeSchema = z.object({ market_kind: z.enum(MARKET_KINDS), candles: z.nullable(z.array(candleSchema)) });

/** The market of a saved prediction, and its real candles once they are known. @throws Error, also after 15 seconds */
export async function fetchSavedOutcome(
  id: string,
  signal: AbortSignal,
): Promise<z.infer<typeof savedOutcomeSchema> | null> {
  const { data } = await callTables(FAILED, signal, (client, limited) =>
    client.from('prediction_outcomes').select('market_kind,candles').eq('prediction_id', id).abortSignal(limited),
  );
  return savedOutcomeSchema.safeParse((data as unknown[])[0]).data ?? null;
}

const FAILED = 'Failed to load predictions';

function firstRow(data: unknown): PredictionRow | null {
  return predictionRowSchema.safeParse((data as unknown[])[0]).data ?? null;
}
