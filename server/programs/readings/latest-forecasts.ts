/**
 * The newest forecast that a key's owner may read. A key only reads, so it never uses up a prediction of the plan: the
 * public forecast is open to every key, another one to users who opened it on the site (docs/decisions/079-programs.md).
 */
import { AppError } from '#domain/errors/app-error.ts';
import { MODELS, type ModelName, PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import { readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import type { SavedPrediction } from '#domain/forecast/prediction-export.ts';
import { NO_RELEASES } from '#domain/forecast/releases/forecast-releases.ts';
import { releasesJson } from '#domain/forecast/releases/releases-json.ts';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { toEpochMs } from '#domain/time/epoch.ts';
import type { Core } from '../../core.ts';
import type { Forecast, Forecasts } from '../../forecast/forecast.ts';
import type { PredictionStore } from '../../forecast/predictions/prediction-store.ts';
import type { SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';
import { bandBars, isoOf, type LatestShown } from './forecast-shapes.ts';
import type { KeyOwner } from './key-owner.ts';
import { newestOwnPrediction } from './own-prediction-store.ts';
import { programSymbol } from './program-symbol.ts';

export interface LatestForecastDeps extends Pick<Core, 'database' | 'clock'> {
  forecasts: Pick<Forecasts, 'current'>;
  predictions: Pick<PredictionStore, 'permissionOf' | 'unsavedOf' | 'read'>;
  symbols: SymbolLookup;
}

export interface WantedForecast {
  symbol: string;
  model: ModelName;
  timeframe: Timeframe;
}

export interface LatestFound {
  shown: LatestShown;
  /** Real candles before the forecast, and its drawn path; oldest first. */
  history: readonly Candle[];
  path: readonly Candle[];
}

/**
 * @throws AppError `market/unknown-symbol`, `forecast/model-locked` for a model that the plan does not include,
 * `forecast/not-opened`, and the errors of Forecasts.current
 */
export type LatestForecasts = (owner: KeyOwner, wanted: WantedForecast, signal: AbortSignal) => Promise<LatestFound>;

export function latestForecasts(deps: LatestForecastDeps): LatestForecasts {
  const { forecasts, predictions } = deps;
  return async (owner, wanted, signal) => {
    const { model, timeframe } = wanted;
    const symbol = await programSymbol(deps.symbols, wanted.symbol, signal);
    const current = () => forecasts.current(symbol.exc, symbol, model, signal, timeframe);
    if (isPublic(symbol, model, timeframe)) return fromForecast(await current(), 'public');
    const backendName = MODELS[model].backendName;
    const key = { userId: owner.userId, model: backendName, exc: symbol.exc, sym: symbol.sym, timeframe };
    const permission = await predictions.permissionOf(key);
    if (permission.kind === 'admin') return fromForecast(await current(), 'admin');
    if (permission.kind === 'refused' && permission.code === 'forecast/model-locked')
      throw new AppError(permission.code);
    const opened = (await savedOne(deps, owner, { symbol, wanted })) ?? (await unsavedOne(deps, owner, wanted));
    if (opened === null) throw new AppError('forecast/not-opened', { details: { symbol: symbol.sym, model } });
    return opened;
  };
}

function isPublic({ sym }: MarketSymbol, model: ModelName, timeframe: Timeframe): boolean {
  return sym === PUBLIC_FORECAST.sym && model === PUBLIC_FORECAST.model && timeframe === DEFAULT_TIMEFRAME;
}

function fromForecast(forecast: Forecast, access: 'public' | 'admin'): LatestFound {
  const { symbol, model, modelVersion, timeframe, t0, lastClose, issuedAtMs, marketKind } = forecast;
  const firstBarS = t0 + barSecondsOf(timeframe);
  return {
    shown: {
      symbol: symbol.sym,
      label: symbol.label,
      model,
      modelVersion,
      timeframe,
      market: marketKind,
      access,
      issuedAt: isoOf(issuedAtMs / 1000),
      lastClose,
      firstBarOpensAt: isoOf(firstBarS),
      releases: releasesJson(forecast.releases),
      bands: bandBars(forecast.band, { firstBarS, timeframe }),
    },
    history: forecast.history,
    path: forecast.path,
  };
}

/** A saved prediction whose candles have not all closed. */
async function savedOne(
  { database, clock }: LatestForecastDeps,
  owner: KeyOwner,
  { symbol, wanted: { model, timeframe } }: { symbol: MarketSymbol; wanted: WantedForecast },
): Promise<LatestFound | null> {
  const sinceMs = clock.nowMs() - HORIZON_BARS * barSecondsOf(timeframe) * 1000;
  const question = { label: symbol.label, model: MODELS[model].backendName, timeframe, sinceMs };
  const saved = await newestOwnPrediction(database, owner, question);
  return saved === null ? null : fromSaved(saved, { symbol, model, timeframe });
}

function fromSaved(
  { row, outcome }: SavedPrediction,
  { symbol, model, timeframe }: { symbol: MarketSymbol; model: ModelName; timeframe: Timeframe },
): LatestFound | null {
  const { candles } = readSavedCandles(row.data);
  const t0 = savedJoinS(candles);
  const issuedMs = toEpochMs(row.created_at);
  if (t0 === null || row.band == null || issuedMs === null) return null;
  const history = candles.slice(0, -HORIZON_BARS);
  const firstBarS = t0 + barSecondsOf(timeframe);
  return {
    shown: {
      symbol: symbol.sym,
      label: symbol.label,
      model,
      modelVersion: null,
      timeframe,
      access: 'opened',
      market: outcome?.market_kind ?? null,
      issuedAt: isoOf(issuedMs / 1000),
      lastClose: history.at(-1)?.close ?? 0,
      firstBarOpensAt: isoOf(firstBarS),
      releases: row.releases ? releasesJson(row.releases) : null,
      bands: bandBars(row.band, { firstBarS, timeframe }),
    },
    history,
    path: candles.slice(-HORIZON_BARS),
  };
}

/**
 * A forecast of the last ten minutes that is not saved yet. One whose stream ended before its first candle was never
 * opened: reading it would use up a prediction.
 */
async function unsavedOne(
  { predictions }: LatestForecastDeps,
  { userId }: KeyOwner,
  { symbol, model, timeframe }: WantedForecast,
): Promise<LatestFound | null> {
  const unsaved = await predictions.unsavedOf(userId);
  const found = unsaved.find(
    (one) =>
      one.sym === symbol &&
      one.model === MODELS[model].backendName &&
      one.timeframe === timeframe &&
      one.candlesSent > 0,
  );
  const stored = found === undefined ? null : await predictions.read(userId, found.id, HORIZON_BARS);
  return found === undefined || stored === null ? null : fromStored(stored, found.label);
}

function fromStored({ start, history, forecast }: StoredForecast, label: string): LatestFound {
  const { t0, lastClose, sym, model, modelVersion, timeframe = DEFAULT_TIMEFRAME, issuedAtMs, marketKind } = start;
  const firstBarS = t0 + barSecondsOf(timeframe);
  return {
    shown: {
      symbol: sym,
      label,
      model,
      modelVersion,
      timeframe,
      market: marketKind,
      access: 'opened',
      lastClose,
      issuedAt: isoOf(issuedAtMs / 1000),
      firstBarOpensAt: isoOf(firstBarS),
      releases: releasesJson(start.releases ?? NO_RELEASES),
      bands: bandBars(start.band, { firstBarS, timeframe }),
    },
    history,
    path: forecast,
  };
}
