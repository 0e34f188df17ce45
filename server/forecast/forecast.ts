/** A finished forecast: computed once per (exc, symbol, model version, last closed candle) and shared by all who ask. */
import type { ModelName } from '#domain/forecast/models.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { BandCorrection } from '#domain/record/bands/band-correction.ts';
import type { VolatilityForecast } from './network/network-forecast.ts';

export interface Forecast {
  symbol: MarketSymbol;
  exc: string;
  model: ModelName;
  /** From the model's manifest; changes with its weights. */
  modelVersion: string;
  /** Opening second of the last closed candle the model saw. */
  t0: number;
  lastClose: number;
  issuedAtMs: number;
  marketKind: MarketKind;
  /** Whose candles these are: the venue they came from. */
  venueId: string;
  /** SHA-256 of the network's file, hex. */
  weightsSha256: string;
  /** All candles that the model was given, at most 450, exactly as the venue gave them. */
  lookback: readonly Candle[];
  /** The last 150 of them. */
  history: readonly Candle[];
  /** 50 candles: times t0 + 60 k, first open = lastClose, rounded to the symbol's tick. */
  path: readonly Candle[];
  /** As users see it: the model's own, widened by `correction`. */
  band: ForecastBand;
  correction: BandCorrection;
  /** What the model says, before any correction. */
  volatility: VolatilityForecast;
}

export interface Forecasts {
  /**
   * The forecast of the current minute; single flight, kept until the next candle closes, as is its failure.
   * @throws AppError `forecast/not-trained`, `market/closed`, `market/too-few-candles`, `venue/unavailable`, `forecast/failed`
   */
  current(exc: string, symbol: MarketSymbol, model: ModelName, signal: AbortSignal): Promise<Forecast>;
  /** Whether `current` would answer without computing, as far as this process's clock tells. */
  isKnown(exc: string, symbol: MarketSymbol, model: ModelName): boolean;
  /** How many forecasts were computed since start: the bench proves sharing with it. */
  readonly computations: number;
}
