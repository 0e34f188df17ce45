/**
 * The checks that a stream request must pass, in order, and its result: a new reservation, the existing one, its own
 * from before a lost connection, or an admin's replay. Every refusal comes before the first byte of the stream.
 */
import { randomUUID } from 'node:crypto';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import type { ServerEvent } from '../../platform/http/streams/event-stream.ts';
import type { Forecast, Forecasts } from '../forecast.ts';
import type { PredictionStore, Reservation } from '../predictions/prediction-store.ts';
import { type ReplayDeps, replayForAdmin, replayReservation } from './forecast-stream.ts';
import { toKept } from './stored-forecast.ts';
import type { StreamQuery } from './stream-query.ts';

export interface OpenStreamDeps extends ReplayDeps {
  predictions: PredictionStore;
  forecasts: Forecasts;
  /** The model registry: `ready` refuses a model that cannot forecast, before quota is checked. */
  registry: { ready(model: ModelName): unknown };
}

export interface StreamRequest {
  userId: string;
  query: StreamQuery;
  /** Header Last-Event-ID, null for a new stream. */
  lastEventId: string | null;
  signal: AbortSignal;
}

const ADMIN_SAVES_NOTHING = 'prediction/admin-saves-nothing';

export type EventSource = (signal: AbortSignal) => AsyncIterable<ServerEvent>;

/**
 * @throws AppError `forecast/amplify-refused`, `forecast/model-locked`, `forecast/not-trained`,
 * `forecast/unknown-reservation`, the quota's refusals, and the errors of Forecasts.current
 */
export async function openStream(request: StreamRequest, deps: OpenStreamDeps): Promise<EventSource> {
  const { userId, query, lastEventId, signal } = request;
  const isAmplified = query.ampPercent !== DEFAULT_AMPLIFY_PERCENT;
  if (lastEventId !== null && !isAmplified) return resume(request, lastEventId, deps);
  // A user without quota causes no computation. When the forecast exists, only the reservation is tried, under the
  // user's lock; it refuses in the same cases.
  const isComputed = !isAmplified && deps.forecasts.isKnown(query.exc, query.symbol, query.model.name);
  const refusal = isComputed ? null : await deps.predictions.refusalOf({ userId, ...keyOf(query) });
  const isAdmin = refusal === ADMIN_SAVES_NOTHING;
  if (isAmplified && !isAdmin) throw new AppError('forecast/amplify-refused', { details: { parameter: 'amp' } });
  if (lastEventId !== null) return resume(request, lastEventId, deps);
  if (refusal === 'forecast/model-locked') throw new AppError(refusal);
  deps.registry.ready(query.model.name);
  if (refusal !== null && !isAdmin) throw new AppError(refusal);

  const forecast = await deps.forecasts.current(query.exc, query.symbol, query.model.name, signal);
  signal.throwIfAborted();
  const reserved = isAdmin ? null : await reserveUnlessAdmin(userId, query, forecast, deps);
  const { ampPercent, bars } = query;
  if (reserved === null) return (gone) => replayForAdmin({ forecast, ampPercent, bars }, deps, gone);
  return (gone) => replayReservation({ ...reserved, bars, seen: null }, deps, gone);
}

/** Null for an admin, whose streams reserve nothing. */
async function reserveUnlessAdmin(
  userId: string,
  query: StreamQuery,
  forecast: Forecast,
  deps: OpenStreamDeps,
): Promise<{ reservation: Reservation; isNew: boolean } | null> {
  try {
    return await reserve(userId, query, forecast, deps);
  } catch (error) {
    if (isAppError(error) && error.code === ADMIN_SAVES_NOTHING) return null;
    throw error;
  }
}

function reserve(
  userId: string,
  query: StreamQuery,
  forecast: Forecast,
  deps: OpenStreamDeps,
): Promise<{ reservation: Reservation; isNew: boolean }> {
  return deps.predictions.reserve({
    id: randomUUID(),
    userId,
    ...keyOf(query),
    modelVersion: forecast.modelVersion,
    label: query.symbol.label,
    t0: forecast.t0,
    kept: toKept(forecast),
  });
}

/** Costs nothing and needs no plan: the forecast is already reserved. A new minute may have started since. */
async function resume(request: StreamRequest, lastEventId: string, deps: OpenStreamDeps): Promise<EventSource> {
  const { userId, query } = request;
  const [, id = '', count = ''] = /^([0-9a-f-]{36}):(\d{1,2})$/.exec(lastEventId) ?? [];
  const reservation = await deps.predictions.find(userId, id);
  const wanted = keyOf(query);
  const isWanted =
    reservation?.model === wanted.model && reservation.exc === wanted.exc && reservation.sym === wanted.sym;
  if (!reservation || !isWanted) throw new AppError('forecast/unknown-reservation');
  return (gone) => replayReservation({ reservation, bars: query.bars, seen: Number(count), isNew: false }, deps, gone);
}

function keyOf(query: StreamQuery): { model: string; exc: string; sym: string } {
  return { model: query.model.backendName, exc: query.exc, sym: query.symbol.sym };
}
