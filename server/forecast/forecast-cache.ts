/**
 * One computation per (exc, symbol, model version, last closed candle), shared by everyone who asks in that minute: cost
 * grows with symbols and models, never with users.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { HISTORY_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { CandleHistory, HistorySlice } from '../market/candle-history.ts';
import type { Logger } from '../platform/log.ts';
import type { Forecast, Forecasts } from './forecast.ts';
import type { ModelRegistry, ReadyModel } from './model-registry.ts';

/** Minutes kept per (exc, symbol, model): the current one, and those that a late asker's history may still end in. */
const KEPT_MINUTES = 3;
/** Nobody waits longer for the market; without it one hung venue would hold everyone who asks. */
const HISTORY_TIMEOUT_MS = 10_000;

export interface ForecastCacheDeps {
  history: CandleHistory;
  registry: ModelRegistry;
  clock: Clock;
  log: Logger;
}

export function openForecasts(deps: ForecastCacheDeps): Forecasts {
  return new ForecastCache(deps);
}

class ForecastCache implements Forecasts {
  readonly #deps: ForecastCacheDeps;
  /** By (exc, symbol, model version): finished forecasts by t0, oldest first. */
  readonly #finished = new Map<string, Map<number, Forecast>>();
  /** Askings under way, by the same key. */
  readonly #pending = new Map<string, Promise<Forecast>>();
  #computations = 0;

  constructor(deps: ForecastCacheDeps) {
    this.#deps = deps;
  }

  get computations(): number {
    return this.#computations;
  }

  async current(exc: string, symbol: MarketSymbol, model: ModelName, signal: AbortSignal): Promise<Forecast> {
    signal.throwIfAborted();
    const ready = this.#deps.registry.ready(model);
    const key = JSON.stringify([exc, symbol.sym, model, ready.modelVersion]);
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = this.#load(key, exc, symbol, model, ready).finally(() => this.#pending.delete(key));
      // Every asker may have left by the time it fails; each of those who stayed still sees the error.
      pending.catch(() => undefined);
      this.#pending.set(key, pending);
    }
    return untilAborted(pending, signal);
  }

  /** Not bound to any asker's signal: who leaves must not take the others' forecast along. */
  async #load(key: string, exc: string, symbol: MarketSymbol, model: ModelName, ready: ReadyModel): Promise<Forecast> {
    const timeout = AbortSignal.timeout(HISTORY_TIMEOUT_MS);
    const slice = await untilAborted(this.#deps.history.latest(symbol, LOOKBACK_BARS, timeout), timeout).catch(
      (error) => {
        throw timeout.aborted ? new AppError('venue/unavailable', { cause: error }) : error;
      },
    );
    if (!slice.isOpen) throw new AppError('market/closed', { details: { sym: symbol.sym } });
    const minutes = this.#finished.get(key) ?? new Map<number, Forecast>();
    this.#finished.set(key, minutes);
    const known = minutes.get(slice.candles.at(-1)?.time ?? -1);
    if (known !== undefined) return known;
    const forecast = this.#compute(exc, symbol, model, ready, slice);
    minutes.set(forecast.t0, forecast);
    for (const t0 of minutes.keys()) {
      if (minutes.size <= KEPT_MINUTES) break;
      minutes.delete(t0);
    }
    return forecast;
  }

  #compute(exc: string, symbol: MarketSymbol, model: ModelName, ready: ReadyModel, slice: HistorySlice): Forecast {
    const { log, clock } = this.#deps;
    this.#computations++;
    try {
      const { t0, lastClose, path, band } = ready.forecast(symbol, slice.candles);
      return {
        symbol,
        exc,
        model,
        modelVersion: ready.modelVersion,
        t0,
        lastClose,
        issuedAtMs: clock.nowMs(),
        marketKind: slice.marketKind,
        history: slice.candles.slice(-HISTORY_BARS),
        path,
        band,
      };
    } catch (error) {
      const details = isAppError(error) ? error.details : {};
      log.warn({ err: error, details, sym: symbol.sym, model }, 'a forecast could not be made');
      if (isAppError(error)) throw error;
      throw new AppError('forecast/failed', { details: { sym: symbol.sym }, cause: error });
    }
  }
}

/** The promise's outcome, or the signal's reason as soon as it aborts; the promise itself goes on. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
