/**
 * The checks that a stream request must pass, in order, and its result: a new reservation, the existing one, its own
 * from before a lost connection, or an admin's replay. Every refusal comes before the first byte of the stream.
 */

import { randomUUID } from 'node:crypto';
import { AppError } from '#domain/errors/app-error.ts';
import { type ModelInfo, type ModelName, modelOfVersion } from '#domain/forecast/models.ts';
import { DEFAULT_AMPLIFY_PERCENT, HISTORY_BARS } from '#domain/forecast/window.ts';
import { findSymbol, type MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { FindSymbol } from '../../market/catalogue/symbol-lookup.ts';
import { readRouteQuery } from '../../platform/http/calls/contract-route.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';
import type { ServerEvent } from '../../platform/http/streams/event-stream.ts';
import type { Forecast, Forecasts } from '../forecast.ts';
import type { CountNewForecast } from '../new-forecasts.ts';
import type { Permission, PredictionStore, ReservationKey, Reserved } from '../predictions/prediction-store.ts';
import { type ReplayDeps, replayForAdmin, replayReservation, toShared } from './forecast-stream.ts';

export interface OpenStreamDeps extends ReplayDeps {
  predictions: PredictionStore;
  forecasts: Forecasts;
  /** The model registry: `open` refuses a model that cannot forecast, before quota is checked. */
  registry: { open(model: ModelName, timeframe: Timeframe): Promise<unknown> };
  /** Called before a forecast that no one has yet: its reservation comes later, and never if the viewer leaves. */
  countNewForecast?: CountNewForecast | undefined;
}

export interface StreamRequest {
  userId: string;
  query: StreamQuery;
  /** Header Last-Event-ID, null for a new stream. */
  lastEventId: string | null;
  signal: AbortSignal;
}

export type EventSource = (signal: AbortSignal) => AsyncIterable<ServerEvent>;

/**
 * @throws AppError `forecast/amplify-refused`, `forecast/model-locked`, `forecast/not-trained`, `request/too-many`,
 * `forecast/unknown-reservation`, the quota's refusals, and the errors of Forecasts.current
 */
export async function openStream(request: StreamRequest, deps: OpenStreamDeps): Promise<EventSource> {
  const { userId, query, lastEventId, signal } = request;
  const isAmplified = query.ampPercent !== DEFAULT_AMPLIFY_PERCENT;
  if (lastEventId !== null && !isAmplified) return resume(request, lastEventId, deps);
  // A user without quota causes no computation. When the forecast exists, only the reservation is tried, under the
  // user's lock; it refuses in the same cases.
  const isComputed = !isAmplified && deps.forecasts.isKnown(query.exc, query.symbol, query.model.name, query.timeframe);
  const permission: Permission = isComputed
    ? { kind: 'allowed' }
    : await deps.predictions.permissionOf({ userId, ...keyOf(query) });
  const refusal = permission.kind === 'refused' ? permission.code : null;
  const isAdmin = permission.kind === 'admin';
  if (isAmplified && !isAdmin) throw new AppError('forecast/amplify-refused', { details: { parameter: 'amp' } });
  if (lastEventId !== null) return resume(request, lastEventId, deps);
  if (refusal === 'forecast/model-locked') throw new AppError(refusal);
  await deps.registry.open(query.model.name, query.timeframe);
  if (refusal !== null) throw new AppError(refusal);
  if (!isComputed && !isAdmin) await deps.countNewForecast?.(userId);

  const { ampPercent, bars, timeframe } = query;
  const forecast = await deps.forecasts.current(query.exc, query.symbol, query.model.name, signal, timeframe);
  signal.throwIfAborted();
  // The models need fewer candles, but a prediction shows and saves this many before its forecast.
  const shown = forecast.history.length;
  if (shown < HISTORY_BARS)
    throw new AppError('market/too-few-candles', { details: { bars: shown, needed: HISTORY_BARS } });
  const reserved: Reserved = isAdmin ? { kind: 'admin' } : await reserve(userId, query, forecast, deps);
  if (reserved.kind === 'admin') return (closed) => replayForAdmin({ forecast, ampPercent, bars }, deps, closed);
  const { reservation, created } = reserved;
  return (closed) => replayReservation({ reservation, created, bars, seen: null }, deps, closed);
}

function reserve(userId: string, query: StreamQuery, forecast: Forecast, deps: OpenStreamDeps): Promise<Reserved> {
  return deps.predictions.reserve({
    id: randomUUID(),
    userId,
    ...keyOf(query),
    modelVersion: forecast.modelVersion,
    label: query.symbol.label,
    t0: forecast.t0,
    shared: toShared(forecast),
  });
}

/** Costs nothing and needs no plan: the forecast is already reserved. A new candle may have started since. */
async function resume(request: StreamRequest, lastEventId: string, deps: OpenStreamDeps): Promise<EventSource> {
  const { userId, query } = request;
  const [, id = '', count = ''] = /^([0-9a-f-]{36}):(\d{1,2})$/.exec(lastEventId) ?? [];
  const reservation = await deps.predictions.find(userId, id);
  const wanted = keyOf(query);
  const isWanted =
    reservation?.model === wanted.model &&
    reservation.exc === wanted.exc &&
    reservation.sym === wanted.sym &&
    reservation.timeframe === wanted.timeframe;
  if (!reservation || !isWanted) throw new AppError('forecast/unknown-reservation');
  return (closed) =>
    replayReservation({ reservation, created: null, bars: query.bars, seen: Number(count) }, deps, closed);
}

function keyOf({ model, exc, symbol, timeframe }: StreamQuery): Omit<ReservationKey, 'userId'> {
  return { model: model.backendName, exc, sym: symbol.sym, timeframe };
}

interface StreamQuery {
  exc: string;
  symbol: MarketSymbol;
  timeframe: Timeframe;
  model: ModelInfo;
  /** Candles to send, 1 to 50; only a stream of all 50 can be saved. */
  bars: number;
  ampPercent: number;
}

/**
 * Parses the query strictly; only `tf` may be absent. It never holds a token, because it would end up in logs.
 * @throws AppError `request/invalid` with `details.parameter` and `details.problem`; `market/unknown-symbol`
 */
export function readStreamQuery(params: URLSearchParams, find: FindSymbol = findSymbol): StreamQuery {
  const { exc, sym, fbars: bars, amp, ver, tf: timeframe } = readRouteQuery('/stream-kat2', params);
  const model = modelOfVersion(ver);
  if (!model) throw invalidParameter('ver', 'invalid');
  const symbol = find(exc, sym);
  if (!symbol) throw new AppError('market/unknown-symbol', { details: { parameter: 'sym' } });
  return { exc, symbol, timeframe, model, bars, ampPercent: Number(amp) };
}
