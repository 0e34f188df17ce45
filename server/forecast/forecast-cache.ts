/**
 * One computation per (exc, symbol, timeframe, model version, last closed candle), shared by all requests of a candle: cost grows
 * with symbols and models, never with users. A failed forecast is not retried before the next candle either: a hanging
 * model would keep each request until the deadline, and a failure costs no user a prediction.
 */

import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { NO_RELEASES } from '#domain/forecast/releases/forecast-releases.ts';
import { widthFactor } from '#domain/forecast/releases/widening.ts';
import { HISTORY_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { type BandCorrection, correctedUpper, factorsAt, NO_CORRECTION } from '#domain/record/bands/band-correction.ts';
import { unlessAborted } from '#domain/time/deadline.ts';
import type { Core } from '../core.ts';
import { type CandleHistory, type HistorySlice, isTradedAt } from '../market/candles/candle-history.ts';
import type { Forecast, Forecasts } from './forecast.ts';
import { digestOf, type ForecastPeers, type PeerForecast } from './forecast-peers.ts';
import { UnstartedForecast } from './inference/model-runner.ts';
import { UPPER_LEVELS } from './models/manifest.ts';
import type { ModelRegistry, ReadyModel } from './models/model-registry.ts';
import type { PathKeyOf } from './paths/path-keys.ts';
import { priceGrid, quantileBand } from './paths/price-grid.ts';
import type { ReleasesOf } from './releases/release-widening.ts';

/** Candles cached per (exc, symbol, timeframe, model): the current one, and those a later request's history may end in. */
const CACHED_BARS = 3;
/** Longest wait for the market; without it one hung venue would hold all requests. */
const HISTORY_TIMEOUT_MS = 10_000;
/** The venue's time is an estimate, and its candles may be a second ahead of it. */
const CLOCK_ERROR_MS = 1000;

export interface ForecastCacheDeps extends Pick<Core, 'clock' | 'log'> {
  history: CandleHistory;
  registry: Pick<ModelRegistry, 'stateOf' | 'open'>;
  /** Band width factors learned from the public record; absent: none. */
  correctionOf?: CorrectionOf;
  /** The scheduled releases that a forecast counts; absent: none is known, and none is expected. */
  releasesOf?: ReleasesOf | undefined;
  /** The secret part of the drawn path's seed; absent in tests and benches: none. */
  pathKeyOf?: PathKeyOf;
  /** With several processes one computes for all; absent: each for itself. */
  peers?: Pick<ForecastPeers, 'request'> | null;
}

/** Synchronous, from memory: a forecast does not wait for it. */
export type CorrectionOf = (
  kind: MarketKind,
  model: ModelName,
  sym: string,
  version: string,
  timeframe?: Timeframe,
) => BandCorrection;

export function openForecasts(deps: ForecastCacheDeps): Forecasts {
  return new ForecastCache(deps);
}

class ForecastCache implements Forecasts {
  readonly #deps: ForecastCacheDeps;
  /** By (exc, symbol, timeframe, model version): the result of each t0, oldest first. */
  readonly #outcomes = new Map<string, Map<number, Forecast | AppError>>();
  /** Requests in progress, by the same key. */
  readonly #pending = new Map<string, Promise<Forecast>>();
  #computations = 0;

  constructor(deps: ForecastCacheDeps) {
    this.#deps = deps;
  }

  get computations(): number {
    return this.#computations;
  }

  isKnown(exc: string, symbol: MarketSymbol, model: ModelName, timeframe: Timeframe = DEFAULT_TIMEFRAME): boolean {
    const state = this.#deps.registry.stateOf(model, timeframe);
    if (state?.state !== 'ready') return false;
    const bars = this.#outcomes.get(keyOf({ exc, symbol, timeframe, model, ready: state.model })) ?? [];
    const [t0, outcome] = [...bars].at(-1) ?? [0, null];
    if (outcome === null || isAppError(outcome)) return false;
    // The candle after it is still open.
    return this.#deps.clock.nowMs() < (t0 + 2 * barSecondsOf(timeframe)) * 1000;
  }

  async current(
    exc: string,
    symbol: MarketSymbol,
    model: ModelName,
    signal: AbortSignal,
    timeframe: Timeframe = DEFAULT_TIMEFRAME,
  ): Promise<Forecast> {
    signal.throwIfAborted();
    const ready = await unlessAborted(this.#deps.registry.open(model, timeframe), signal);
    const wanted: Wanted = { exc, symbol, timeframe, model, ready };
    const key = keyOf(wanted);
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = this.#load(key, wanted).finally(() => this.#pending.delete(key));
      // Every caller may have left by the time it fails; those who stayed still see the error.
      pending.catch(() => undefined);
      this.#pending.set(key, pending);
    }
    return unlessAborted(pending, signal);
  }

  /** Not bound to any caller's signal: one who leaves must not cancel the others' forecast. */
  async #load(key: string, wanted: Wanted): Promise<Forecast> {
    const { symbol, timeframe } = wanted;
    const timeout = AbortSignal.timeout(HISTORY_TIMEOUT_MS);
    const candles = this.#deps.history.latest(symbol, LOOKBACK_BARS, timeout, timeframe);
    const slice = await unlessAborted(candles, timeout).catch((error) => {
      throw timeout.aborted ? new AppError('venue/unavailable', { cause: error }) : error;
    });
    requireOpen(wanted, slice);
    requireFresh(symbol, slice);
    requireClosedCandles(wanted, slice);
    const bars = this.#outcomes.get(key) ?? new Map<number, Forecast | AppError>();
    this.#outcomes.set(key, bars);
    const t0 = slice.candles.at(-1)?.time ?? -1;
    const outcome = bars.get(t0) ?? (await this.#compute(wanted, slice));
    if (isCacheable(outcome)) bars.set(t0, outcome);
    for (const oldest of bars.keys()) {
      if (bars.size <= CACHED_BARS) break;
      bars.delete(oldest);
    }
    if (isAppError(outcome)) throw outcome;
    return outcome;
  }

  async #compute(wanted: Wanted, slice: HistorySlice): Promise<Forecast | AppError> {
    const { exc, symbol, timeframe, model, ready } = wanted;
    const { log } = this.#deps;
    try {
      const { modelVersion } = ready;
      const weightsSha256 = ready.manifest.network.sha256;
      const question = {
        exc,
        sym: symbol.sym,
        timeframe,
        model,
        modelVersion,
        weightsSha256,
        candles: digestOf(slice),
      };
      const fromPeer = (await this.#deps.peers?.request(question)) ?? null;
      const computed = fromPeer ?? (await this.#computeHere(wanted, slice));
      return {
        ...computed,
        symbol,
        exc,
        timeframe,
        model,
        modelVersion,
        marketKind: slice.marketKind,
        venueId: slice.venueId,
        weightsSha256,
        lookback: slice.candles,
        history: slice.candles.slice(-HISTORY_BARS),
      };
    } catch (error) {
      const details = isAppError(error) ? error.details : {};
      log.warn({ err: error, details, sym: symbol.sym, timeframe, model }, 'a forecast could not be made');
      if (isAppError(error)) return error;
      return new AppError('forecast/failed', { details: { sym: symbol.sym }, cause: error });
    }
  }

  async #computeHere({ symbol, timeframe, model, ready }: Wanted, slice: HistorySlice): Promise<PeerForecast> {
    this.#computations++;
    const { clock, correctionOf, pathKeyOf, releasesOf } = this.#deps;
    const lastS = slice.candles.at(-1)?.time ?? 0;
    const [pathKey, released] = await Promise.all([
      pathKeyOf?.(lastS),
      releasesOf?.(slice.marketKind, { t0: lastS, barS: barSecondsOf(timeframe), assetClass: symbol.assetClass }),
    ]);
    const varianceFactors = released?.varianceFactors ?? null;
    const subject = { ...symbol, pathKey, varianceFactors: varianceFactors ?? undefined };
    const { t0, lastClose, path, volatility } = await ready.forecast(subject, slice.candles);
    const factor = varianceFactors === null ? 1 : widthFactor(volatility.minuteVariance, varianceFactors);
    const releases =
      released === undefined ? NO_RELEASES : { list: released.list, factor, isComplete: released.isComplete };
    const correction =
      correctionOf?.(slice.marketKind, model, symbol.sym, ready.modelVersion, timeframe) ?? NO_CORRECTION;
    const upper = correctRows(volatility.upperQuantiles, correction);
    const band = quantileBand(upper, lastClose, priceGrid(symbol.tickSize));
    const issuedAtMs = clock.nowMs();
    return { t0, lastClose, issuedAtMs, path, releases, varianceFactors, band, correction, volatility };
  }
}

interface Wanted {
  exc: string;
  symbol: MarketSymbol;
  timeframe: Timeframe;
  model: ModelName;
  ready: ReadyModel;
}

function keyOf({ exc, symbol, timeframe, model, ready }: Wanted): string {
  return JSON.stringify([exc, symbol.sym, timeframe, model, ready.modelVersion]);
}

function correctRows(rows: readonly (readonly number[])[], correction: BandCorrection): number[][] {
  return rows.map((row, i) => correctedUpper(UPPER_LEVELS, row, factorsAt(correction, i + 1)));
}

/** True for a result that belongs to this forecast, not to the queue or to a history that may still grow. */
function isCacheable(outcome: Forecast | AppError): boolean {
  return !isAppError(outcome) || (outcome.code === 'forecast/failed' && !(outcome instanceof UnstartedForecast));
}

/**
 * In the first candle of a session the newest one is the last session's, and the time after it was not traded. A
 * forecast may extend beyond the session's end; it then shows how trading would continue.
 */
function requireOpen({ symbol, timeframe }: Wanted, { isOpen, candles, marketKind }: HistorySlice): void {
  const t0 = candles.at(-1)?.time;
  const isFollowed = t0 === undefined || isTradedAt(symbol, marketKind, t0 + barSecondsOf(timeframe));
  if (!isOpen || !isFollowed) throw new AppError('market/closed', { details: { sym: symbol.sym } });
}

/** What follows old candles has already happened: a forecast of it would sell the past. */
function requireFresh(symbol: MarketSymbol, { isStale, asOfS }: HistorySlice): void {
  if (!isStale) return;
  const details = { sym: symbol.sym, reason: 'the candles are old', asOfS };
  throw new AppError('venue/unavailable', { details });
}

/** A candle that is still open or in the future would reveal what is to be forecast. */
function requireClosedCandles({ symbol, timeframe }: Wanted, { candles, nowMs }: HistorySlice): void {
  const lastCloseMs = ((candles.at(-1)?.time ?? 0) + barSecondsOf(timeframe)) * 1000;
  if (lastCloseMs <= nowMs + CLOCK_ERROR_MS) return;
  throw new AppError('forecast/failed', { details: { sym: symbol.sym, reason: 'the last candle has not closed yet' } });
}
