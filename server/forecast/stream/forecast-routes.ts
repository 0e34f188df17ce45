/** GET /stream-kat2 and the stored forecast of a reservation. Signed-in callers only, by bearer token in the header. */

import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { lookupFor, ONLY_SPECIFIED, type SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';
import type { CallerReader } from '../../platform/http/calls/caller.ts';
import { answerRoute } from '../../platform/http/calls/contract-route.ts';
import { onlyMethods, requireGet } from '../../platform/http/calls/http-errors.ts';
import { eventStream, type ServerEvent } from '../../platform/http/streams/event-stream.ts';
import { type EventSource, type OpenStreamDeps, openStream, readStreamQuery } from './open-stream.ts';
import { type OpeningTurns, openingTurns } from './opening-turns.ts';
import { type StreamPlace, type StreamSlots, streamSlots } from './stream-slots.ts';

export interface ForecastRouteDeps extends Omit<OpenStreamDeps, 'endOf'> {
  callers: CallerReader;
  /** Absent: only the ten symbols of the picker. */
  symbols?: SymbolLookup | undefined;
  /** Aborts when the server stops: open streams end, and their viewers resume on another process. */
  stopping?: AbortSignal | undefined;
  heartbeatMs?: number;
  /** Default: slots of this process only. */
  slots?: StreamSlots;
  /** Default: eight at a time. */
  turns?: OpeningTurns;
}

export function forecastRoutes(deps: ForecastRouteDeps): Hono {
  const slots = deps.slots ?? streamSlots();
  const turns = deps.turns ?? openingTurns();
  const { symbols = ONLY_SPECIFIED } = deps;

  const app = new Hono();
  // The caller is asked for before the query is read.
  app.get('/stream-kat2', async (c) => {
    const request = c.req.raw;
    requireGet(request);
    const { userId } = await deps.callers.requireUser(request);
    const params = new URL(request.url).searchParams;
    const query = readStreamQuery(params, await lookupFor(params, symbols, request.signal));
    const lastEventId = c.req.header('last-event-id') ?? null;
    const { signal } = request;
    const place = slots.take(userId);
    try {
      const open = async () => {
        await place.confirm();
        return openStream({ userId, query, lastEventId, signal }, { ...deps, endOf: symbols.endOf });
      };
      const events = await turns.run(open, { signal, isResumed: lastEventId !== null });
      return eventStream(request, (closed) => holding(place, events, closed), deps);
    } catch (error) {
      await place.giveBack();
      // The caller has left and gets no answer; that is not an error to log.
      throw signal.aborted ? new AppError('forecast/failed', { cause: error }) : error;
    }
  });
  app.all('/stream-kat2', onlyMethods('GET'));
  answerRoute(app, '/forecast/reservations/{id}', async (c, _query, { id }) => {
    const { userId } = await deps.callers.requireUser(c.req.raw);
    // A full read counts as a full stream: the forecast can now be saved, and costs what a stream costs.
    const stored = await deps.predictions.read(userId, id, HORIZON_BARS);
    if (stored === null) throw new AppError('forecast/unknown-reservation');
    return c.json(stored satisfies StoredForecast, 200, { 'cache-control': 'no-store' });
  });
  answerRoute(app, '/forecast/reservations', async (c) => {
    const { userId } = await deps.callers.requireUser(c.req.raw);
    const reservations = await deps.predictions.unsavedOf(userId);
    return c.json({ reservations }, 200, { 'cache-control': 'no-store' });
  });
  return app;
}

/** Frees the slot before the reader sees the end: it may open its next stream immediately, on any process. */
async function* holding(place: StreamPlace, events: EventSource, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  try {
    yield* events(signal);
  } finally {
    await place.giveBack();
  }
}
