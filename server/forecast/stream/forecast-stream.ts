/** Progress is written only three times: before the first candle, before the 50th, and at the end. */
import { createHash } from 'node:crypto';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { amplifyBand, amplifyCandle } from '#domain/forecast/amplify.ts';
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import { CANDLE_PACE_MS, START_EVENT, type StoredForecast, type StreamStart } from '#domain/forecast/stream-message.ts';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { pause } from '#domain/time/deadline.ts';
import type { ServerEvent } from '../../platform/http/streams/event-stream.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { Forecast } from '../forecast.ts';
import type { PredictionStore, Reservation, SharedForecast } from '../predictions/prediction-store.ts';

const RETRY_DELAYS_MS = [200, 400, 800];

export interface ReplayDeps {
  predictions: Pick<PredictionStore, 'markCandlesSent' | 'read' | 'release' | 'withdraw'>;
  /** Why a symbol has no prices any more; null while it trades. Absent: none ends. */
  endOf?: ((sym: string) => AppError | null) | undefined;
  log: Logger;
  /** Milliseconds between two candles; default CANDLE_PACE_MS, shorter in tests. */
  paceMs?: number | undefined;
  /** How many candles are sent together, all when the first is due. Absent: one. */
  candlesTogether?: (() => number) | undefined;
}

export interface ReservedReplay {
  reservation: Reservation;
  /** Candles to send in all, 1 to 50. */
  bars: number;
  /** Candles that the viewer already has; null for a new viewer, who also gets `start`. */
  seen: number | null;
  /** The forecast, if this request reserved it: a stream that ends before its first candle then releases it. */
  created: StoredForecast | null;
}

/**
 * A product that ends during its stream ends the stream, which then costs nothing.
 * @throws AppError `forecast/unknown-reservation` when it was released meanwhile; `market/delisted`, `market/halted`
 */
export async function* replayReservation(
  replay: ReservedReplay,
  deps: ReplayDeps,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { id, userId, candlesSent } = replay.reservation;
  const { created } = replay;
  const first = replay.seen ?? 0;
  if (first >= replay.bars) return;
  let sent = first;
  let recorded = candlesSent;
  const mark = async (count: number): Promise<boolean> =>
    count <= recorded || (await patiently(() => deps.predictions.markCandlesSent(id, count), signal));
  const record = async (count: number) => {
    if (!(await mark(count))) throw new AppError('forecast/unknown-reservation');
    recorded = Math.max(recorded, count);
  };
  const open = async (count: number): Promise<StoredForecast | null> => {
    if (created !== null) return (await mark(count)) ? created : null;
    return patiently(() => deps.predictions.read(userId, id, count), signal);
  };
  let end: AppError | null = null;
  try {
    signal.throwIfAborted();
    // Recorded first: a viewer who has seen a candle has used the reservation, even if this process crashes now.
    const opened = await open(first + 1);
    if (opened === null) throw new AppError('forecast/unknown-reservation');
    const { start, forecast } = opened;
    recorded = Math.max(recorded, first + 1);
    if (replay.seen === null) yield { event: START_EVENT, id: `${id}:0`, data: start };
    for await (const candle of pace(forecast.slice(first, replay.bars), deps, signal)) {
      end = deps.endOf?.(start.sym) ?? null;
      if (end !== null) throw end;
      // The viewer may save as soon as the last candle arrives.
      if (sent + 1 === HORIZON_BARS) await record(HORIZON_BARS);
      sent += 1;
      yield { id: `${id}:${sent}`, data: candle };
    }
  } catch (error) {
    if (end !== null) await giveBack(id, deps, 'withdraw');
    else if (created !== null && sent === 0) await giveBack(id, deps, 'release');
    throw error;
  } finally {
    if (end === null) await recordQuietly(() => record(sent), deps.log);
  }
}

/** An admin's stream: amplified on replay, never reserved or saved. */
export async function* replayForAdmin(
  run: { forecast: Forecast; ampPercent: number; bars: number },
  deps: PaceDeps & Pick<ReplayDeps, 'endOf'>,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { forecast, ampPercent } = run;
  yield { event: START_EVENT, data: toStart(forecast, null, ampPercent) };
  for await (const candle of pace(forecast.path.slice(0, run.bars), deps, signal)) {
    const end = deps.endOf?.(forecast.symbol.sym) ?? null;
    if (end !== null) throw end;
    yield { data: toSaved(amplifyCandle(candle, forecast.lastClose, ampPercent)) };
  }
}

type PaceDeps = Pick<ReplayDeps, 'paceMs' | 'candlesTogether'>;

/**
 * Yields the first immediately, each further one `paceMs` later by the clock, so that delays do not add up. Candles that
 * are sent together become one write to the socket, the largest cost of a stream.
 */
async function* pace(candles: readonly Candle[], deps: PaceDeps, signal: AbortSignal): AsyncGenerator<Candle> {
  const { paceMs = CANDLE_PACE_MS, candlesTogether = () => 1 } = deps;
  const startedMs = performance.now();
  let together = 0;
  for (const [i, candle] of candles.entries()) {
    if (together === 0) {
      const waitMs = startedMs + i * paceMs - performance.now();
      // Ends early, without an error, when the viewer leaves.
      if (waitMs > 0) await pause(waitMs, signal).catch(() => undefined);
      together = candlesTogether();
    }
    if (signal.aborted) return;
    together -= 1;
    yield candle;
  }
}

/** Retries while the database restarts, which takes less than a second. Only for idempotent work. */
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isAppError(error) || !error.code.startsWith('database/')) throw error;
      await pause(delayMs, signal).catch(() => undefined);
    }
  }
  return work();
}

async function giveBack(id: string, deps: ReplayDeps, how: 'release' | 'withdraw'): Promise<void> {
  try {
    await deps.predictions[how](id);
  } catch (error) {
    // The database is unavailable: settlement releases it after ten minutes, or saves it if a candle was sent. A saved
    // prediction of a product that has ended gets no outcome, and its unit is returned then.
    deps.log.warn({ err: error, reservationId: id }, 'a failed reservation is waiting to be settled');
  }
}

async function recordQuietly(record: () => Promise<void>, log: Logger): Promise<void> {
  try {
    await record();
  } catch (error) {
    // The first candle is recorded, which settlement relies on; the viewer has left or gets the cause itself.
    log.warn({ err: error }, 'the last candle sent was not recorded');
  }
}

const sharedForecasts = new WeakMap<Forecast, SharedForecast>();

/** The same object for the same forecast, created when the first viewer reserves it. */
export function toShared(forecast: Forecast): SharedForecast {
  const known = sharedForecasts.get(forecast);
  if (known !== undefined) return known;
  const history = forecast.history.map(toSaved);
  const path = forecast.path.map(toSaved);
  const start = toStart(forecast, null, DEFAULT_AMPLIFY_PERCENT);
  const digest = createHash('sha256')
    .update(JSON.stringify([history, path, start]))
    .digest('hex');
  const id = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  const created = { id, history, forecast: path, start };
  sharedForecasts.set(forecast, created);
  return created;
}

/** The stream's first event, with the amplification of the display. */
export function toStart(forecast: Forecast, reservationId: string | null, ampPercent: number): StreamStart {
  return {
    reservationId,
    t0: forecast.t0,
    lastClose: forecast.lastClose,
    exc: forecast.exc,
    sym: forecast.symbol.sym,
    // One minute is what a page expects that says nothing: its events stay as they were.
    ...(forecast.timeframe === DEFAULT_TIMEFRAME ? {} : { timeframe: forecast.timeframe }),
    model: forecast.model,
    modelVersion: forecast.modelVersion,
    issuedAtMs: forecast.issuedAtMs,
    marketKind: forecast.marketKind,
    ...releasesField(forecast.releases),
    ampPercent,
    band: amplifyBand(forecast.band, forecast.lastClose, ampPercent),
  };
}

/** Without a field when there is nothing to say, as before releases were counted. */
export function releasesField(releases: ForecastReleases): { releases?: ForecastReleases } {
  return releases.list.length === 0 && releases.isComplete ? {} : { releases };
}

/** A candle as it is sent and saved: the six fields, volume 0 where the feed has none, as in GET /history. */
export function toSaved({ time, open, high, low, close, volume }: Candle): Candle & { volume: number } {
  return { time, open, high, low, close, volume: volume ?? 0 };
}
