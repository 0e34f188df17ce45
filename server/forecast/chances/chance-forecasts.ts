/** The shared forecasts as the engine of chances reads them: prepared once each, for all questions. */
import { drawSteps } from '#domain/chances/chance.ts';
import { type ChanceForecast, chanceForecast } from '#domain/chances/chance-forecast.ts';
import { isRefusal } from '#domain/chances/refusals.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { Forecast, Forecasts } from '../forecast.ts';
import { buildFeatures } from '../network/features.ts';
import { chanceInput } from './chance-input.ts';
import type { TablesOf } from './path-tables.ts';

/** Whose forecast a chance is computed from. */
export interface ChanceSource {
  symbol: MarketSymbol;
  model: ModelName;
  timeframe: Timeframe;
}

export interface PreparedForecast {
  source: Forecast;
  forecast: ChanceForecast;
}

export interface ChanceForecasts {
  /**
   * The newest, or the one before it while a new one fails: the engine refuses it when it is too old.
   * @param nowMs  by the market's clock: while its next candle is open, a forecast is the newest
   * @throws AppError as Forecasts.current
   */
  current(market: ChanceSource, nowMs: number, signal: AbortSignal): Promise<PreparedForecast>;
  /** Whether `current` would answer without computing a forecast. */
  isKnown(market: ChanceSource): boolean;
}

export interface ChanceForecastDeps {
  forecasts: Pick<Forecasts, 'current' | 'isKnown'>;
  tablesOf: TablesOf;
}

/** Markets whose newest forecast is held; with paths each takes a megabyte. */
const MOST_MARKETS = 60;

export function openChanceForecasts({ forecasts, tablesOf }: ChanceForecastDeps): ChanceForecasts {
  /** By market, the one used last at the end. */
  const held = new Map<string, PreparedForecast>();
  /** Drawing paths takes milliseconds, and many requests wait for the same new forecast. */
  const prepared = new WeakMap<Forecast, Promise<PreparedForecast>>();

  function preparedOnce(market: ChanceSource, source: Forecast): Promise<PreparedForecast> {
    const known = prepared.get(source);
    if (known !== undefined) return known;
    const next = prepare(market, source);
    prepared.set(source, next);
    next.catch(() => prepared.delete(source));
    return next;
  }

  async function prepare(market: ChanceSource, source: Forecast): Promise<PreparedForecast> {
    const tables = await tablesOf(market.model, market.timeframe);
    const features = buildFeatures(source.lookback, source.symbol.assetClass, source.timeframe);
    const names = { sym: source.symbol.sym, modelVersion: source.modelVersion };
    const forecast = chanceForecast(chanceInput(names, features, source.volatility, tables));
    if (isRefusal(forecast)) throw new AppError('forecast/failed', { details: { reason: forecast.message } });
    // Here, with the forecast, so that no question waits for it.
    drawSteps(forecast);
    return { source, forecast };
  }

  function hold(key: string, prepared: PreparedForecast): PreparedForecast {
    held.delete(key);
    held.set(key, prepared);
    const [oldest = key] = held.keys();
    if (held.size > MOST_MARKETS) held.delete(oldest);
    return prepared;
  }

  return {
    async current(market, nowMs, signal) {
      const { symbol, model, timeframe } = market;
      const key = marketKey(market);
      const newest = held.get(key);
      if (newest !== undefined && nowMs < (newest.source.t0 + 2 * barSecondsOf(timeframe)) * 1000) return newest;
      try {
        const source = await forecasts.current(symbol.exc, symbol, model, signal, timeframe);
        return hold(key, await preparedOnce(market, source));
      } catch (error) {
        const before = held.get(key);
        if (signal.aborted || before === undefined || !isPassing(error)) throw error;
        return before;
      }
    },
    isKnown: ({ symbol, model, timeframe }) => forecasts.isKnown(symbol.exc, symbol, model, timeframe),
  };
}

export function marketKey({ symbol, model, timeframe }: ChanceSource): string {
  return `${symbol.sym} ${model} ${timeframe}`;
}

/** A closed or halted market has no chances, whatever was forecast before. */
function isPassing(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'venue/unavailable' || error.code === 'forecast/failed');
}
