/**
 * What a request for a stream must pass, in order, and what it gets: a new reservation, the one it already holds, its
 * own from before a lost connection, or an admin's replay. Everything is refused before the first byte of the stream.
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import type { ServerEvent } from '../platform/http/event-stream.ts';
import type { Forecast, Forecasts } from './forecast.ts';
import { type ReplayDeps, replayForAdmin, replayReservation, toSaved, toStart } from './forecast-stream.ts';
import type { PredictionStore, Reservation } from './prediction-store.ts';
import type { StreamQuery } from './stream-query.ts';

export interface OpenStreamDeps extends ReplayDeps {
  predictions: PredictionStore;
  forecasts: Forecasts;
  /** The model registry: its `ready` refuses a model that cannot forecast, before quota is looked at. */
  registry: { ready(model: ModelName): unknown };
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
 * @throws AppError `forecast/amplify-refused`, `forecast/model-locked`, `forecast/not-trained`, `forecast/unknown-reservation`,
 *         the quota's refusals, and whatever Forecasts.current refuses
 */
export async function openStream(request: StreamRequest, deps: OpenStreamDeps): Promise<EventSource> {
  const { userId, query, lastEventId, signal } = request;
  // A user without quota costs no computation; the reservation itself asks once more, under the user's lock.
  const refusal = await deps.predictions.refusalOf({ userId, ...keyOf(query) });
  const isAdmin = refusal === 'prediction/admin-saves-nothing';
  if (!isAdmin && query.ampPercent !== DEFAULT_AMPLIFY_PERCENT) {
    throw new AppError('forecast/amplify-refused', { details: { parameter: 'amp' } });
  }
  if (lastEventId !== null) return resume(request, lastEventId, deps);
  if (refusal === 'forecast/model-locked') throw new AppError(refusal);
  deps.registry.ready(query.model.name);

  if (isAdmin) {
    const forecast = await deps.forecasts.current(query.exc, query.symbol, query.model.name, signal);
    const { ampPercent, bars } = query;
    return (gone) => replayForAdmin({ forecast, ampPercent, bars }, deps, gone);
  }
  if (refusal !== null) throw new AppError(refusal);
  const forecast = await deps.forecasts.current(query.exc, query.symbol, query.model.name, signal);
  signal.throwIfAborted();
  const { reservation, isNew } = await reserve(userId, query, forecast, deps);
  return (gone) => replayReservation({ reservation, bars: query.bars, seen: null, isNew }, deps, gone);
}

function reserve(
  userId: string,
  query: StreamQuery,
  forecast: Forecast,
  deps: OpenStreamDeps,
): Promise<{ reservation: Reservation; isNew: boolean }> {
  const id = randomUUID();
  return deps.predictions.reserve({
    id,
    userId,
    ...keyOf(query),
    modelVersion: forecast.modelVersion,
    label: query.symbol.label,
    t0: forecast.t0,
    history: forecast.history.map(toSaved),
    forecast: forecast.path.map(toSaved),
    start: toStart(forecast, id, DEFAULT_AMPLIFY_PERCENT),
  });
}

/** Costs nothing and asks for no plan: the forecast was reserved when it was. The minute may have turned since. */
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
