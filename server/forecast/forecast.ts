import type { ModelName } from '#domain/forecast/models.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { BandCorrection } from '#domain/record/bands/band-correction.ts';
import type { VolatilityForecast } from './network/network-forecast.ts';

export interface Forecast {
  symbol: MarketSymbol;
  exc: string;
  timeframe: Timeframe;
  model: ModelName;
  /** From the model's manifest; changes with its weights. */
  modelVersion: string;
  /** Opening second of the last closed candle the model saw. */
  t0: number;
  lastClose: number;
  issuedAtMs: number;
  marketKind: MarketKind;
  /** The venue that the candles came from. */
  venueId: string;
  /** SHA-256 of the network's file, hex. */
  weightsSha256: string;
  /** All candles given to the model, at most 450, unchanged from the venue. */
  lookback: readonly Candle[];
  /** The last 150 of them. */
  history: readonly Candle[];
  /** 50 candles: times t0 + k bars, first open = lastClose, rounded to the symbol's tick. */
  path: readonly Candle[];
  releases: ForecastReleases;
  /** [50] what they do to the variance of each bar; null: nothing. Baselines get the same. */
  varianceFactors: readonly number[] | null;
  /** As users see it: the model's band, widened by `correction`. */
  band: ForecastBand;
  correction: BandCorrection;
  /** The model's output with the releases, before any correction. */
  volatility: VolatilityForecast;
}

export interface Forecasts {
  /**
   * Computed once and cached until the next candle closes, as is a failure. @param timeframe  absent: one minute @throws AppError `forecast/not-trained`,
   * `forecast/failed`, `market/closed`, `market/too-few-candles`, `venue/unavailable`
   */
  current(
    exc: string,
    symbol: MarketSymbol,
    model: ModelName,
    signal: AbortSignal,
    timeframe?: Timeframe,
  ): Promise<Forecast>;
  /** Whether `current` would answer without computing, as far as this process's clock can tell. */
  isKnown(exc: string, symbol: MarketSymbol, model: ModelName, timeframe?: Timeframe): boolean;
  /** Forecasts computed since start: the bench uses it to prove sharing. */
  readonly computations: number;
}
