import { MODELS, type ModelInfo, type ModelName } from '#domain/forecast/models.ts';
import { createPredictionAnswerSchema, type PredictionRow, TIMEFRAME } from '#domain/forecast/prediction.ts';
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
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { type Candle, candleColumnsSchema, fromColumns, isWellFormed } from '#domain/market/candle.ts';
import { MARKET_KINDS, type MarketKind, type MarketSymbol } from '#domain/market/symbols.ts';
import { CallError, readRefusal } from '../../../platform/calls/call-error.ts';
import { readEventStream, type ServerEvent } from '../../../platform/calls/event-stream.ts';
import { callFunction } from '../../../platform/calls/functions.ts';
import { type Patience, retryingFetch } from '../../../platform/calls/shed-retry.ts';
import { accessToken } from '../../../session/session.ts';
import { type CandleSource, readCandleSource } from '../panel/candle-source.ts';

export type { Patience } from '../../../platform/calls/shed-retry.ts';

export interface History {
  candles: Candle[];
  /** Null when the answer lacks it. */
  marketKind: MarketKind | null;
  /** False only when the answer states it. */
  isMarketOpen: boolean;
  source: CandleSource;
}

export interface StreamRequest {
  symbol: MarketSymbol;
  model: ModelName;
  ampPercent: number;
}

export type ForecastEvent =
  | { type: 'start'; id: string | null; start: StreamStart }
  | { type: 'candle'; id: string | null; candle: Candle }
  | { type: 'error'; message: string; code: string | null };

/**
 * Each candle is well-formed and later than the one before; the chart shows the last 150.
 * @throws CallError with the server's message; Error when the answer cannot be read
 */
export async function fetchHistory(symbol: MarketSymbol, signal: AbortSignal, patience?: Patience): Promise<History> {
  const headers = { accept: 'application/json', ...(await authorization()) };
  const url = `/history?${queryOf(symbol, DEFAULT_AMPLIFY_PERCENT)}`;
  const response = await retryingFetch(url, { headers, signal, cache: 'no-store' }, patience);
  if (!response.ok) throw await historyRefusal(response);
  const candles = fromColumns(candleColumnsSchema.parse(await response.json()));
  const isSound = candles.every((c, i) => isWellFormed(c) && c.time > (candles[i - 1]?.time ?? -1));
  if (!isSound || candles.length === 0) throw new Error('GET /history returned invalid candles.');
  const kind = response.headers.get('x-market-kind');
  return {
    candles,
    marketKind: MARKET_KINDS.find((known) => known === kind) ?? null,
    isMarketOpen: response.headers.get('x-market-open') !== 'false',
    source: readCandleSource(response.headers, Date.now()),
  };
}

async function historyRefusal(response: Response): Promise<Error> {
  const { error, code, details } = readRefusal(await response.json().catch(() => null));
  if (error === undefined || code === undefined) return new Error(`GET /history answered ${response.status}.`);
  // A reason that ends in a full stop is meant for users; others are for operators.
  const why = details?.reason?.endsWith('.') ? details.reason : error;
  return new CallError(code, why, response.status);
}

/**
 * @param lastEventId  resumes a stream after the last received candle
 * @throws CallError with the server's code and message, `stream/lost`, or `stream/bad-json`
 */
export async function* openForecastStream(
  { symbol, model, ampPercent }: StreamRequest,
  lastEventId: string | null,
  signal: AbortSignal,
  patience?: Patience,
): AsyncGenerator<ForecastEvent> {
  const url = `/stream-kat2?${queryOf(symbol, ampPercent)}&ver=${MODELS[model].version}`;
  const token = await accessToken();
  const options = { token, lastEventId, signal, patience };
  for await (const event of readEventStream(url, options)) yield readForecastEvent(event);
}

/** @throws CallError `stream/bad-json` for anything that is not one of the messages */
export function readForecastEvent(event: ServerEvent): ForecastEvent {
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
    headers: { accept: 'application/json', ...(await authorization()) },
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
    headers: { accept: 'application/json', ...(await authorization()) },
    signal,
    cache: 'no-store',
  });
  if (!response.ok) throw new Error(`GET /forecast/reservations answered ${response.status}.`);
  return unsavedForecastsSchema.parse(await response.json()).reservations;
}

/**
 * Saves 200 candles, which uses one of the quota. @throws CallError when the server refused, or could not be reached
 */
export async function savePrediction(model: ModelInfo, label: string, data: Candle[]): Promise<PredictionRow | null> {
  const body = { model: model.backendName, cryptocurrency: label, timeframe: TIMEFRAME, data };
  const answer = createPredictionAnswerSchema.parse(await callFunction('create-prediction', body));
  if (!answer.ok) {
    throw new CallError('prediction/refused', answer.message || answer.reason || 'create-prediction was refused.', 200);
  }
  return answer.row ?? null;
}

function queryOf({ exc, sym }: MarketSymbol, ampPercent: number): URLSearchParams {
  return new URLSearchParams({
    exc,
    sym,
    fbars: String(HORIZON_BARS),
    lkbk: String(LOOKBACK_BARS),
    amp: String(ampPercent),
  });
}

async function authorization(): Promise<Record<string, string>> {
  const token = await accessToken();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}
