/** Volatility of the next 50 minutes: a linear model of log variance (log-HAR), minute by minute, then summed. */
import { AppError } from '#domain/errors/app-error.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { AssetClass } from '#domain/market/symbols.ts';
import type { Features } from './features.ts';
import { BIN_COUNT, BIN_STARTS, type HarModel, type TableClass } from './model-file.ts';

/** A forecast variance stays within e^-4 and e^4 of the recent one: coefficients are not trusted further out. */
const LOG_VARIANCE_LIMIT = 4;
/** Above this (100 % within 50 minutes) the input is no market that a forecast should be drawn for. */
const MAX_SIGMA = 1;

export interface VolatilityForecast {
  /** Variance of each minute's return, 50 entries. */
  minuteVariance: Float64Array;
  /** Volatility of ln(C[t+h] / C[t]) for h = 1..50. */
  sigma: Float64Array;
  /** Realised volatility of the 50 minutes, square root of the sum of squared returns. */
  rv50: number;
  /** ln(highest high / lowest low) of the 50 minutes. */
  range50: number;
}

/** @throws AppError `forecast/failed` when the volatility is not finite or beyond what is plausible */
export function forecastVolatility(model: HarModel, features: Features): VolatilityForecast {
  const tableClass = tableClassOf(features.assetClass);
  const variances = Array.from(
    { length: BIN_COUNT },
    (_, bin) => features.scale ** 2 * Math.exp(limited(linear(model, features, bin))),
  );
  const factors = model.minuteFactors[tableClass];
  const minuteVariance = new Float64Array(HORIZON_BARS);
  const sigma = new Float64Array(HORIZON_BARS);
  let total = 0;
  for (let h = 1; h <= HORIZON_BARS; h++) {
    const variance = (variances[BIN_OF_MINUTE[h - 1] ?? 0] ?? 0) * (factors[minuteOfHour(features.t0, h)] ?? 1);
    total += variance;
    minuteVariance[h - 1] = variance;
    sigma[h - 1] = Math.sqrt(total);
  }
  const sigma50 = Math.sqrt(total);
  if (!(sigma50 <= MAX_SIGMA)) {
    throw new AppError('forecast/failed', { details: { reason: 'volatility is not plausible', sigma50 } });
  }
  const rv50 = features.scale * Math.exp(limited(linear(model, features, BIN_COUNT)));
  const range50 = features.scale * Math.exp(limited(linear(model, features, BIN_COUNT + 1)));
  return { minuteVariance, sigma, rv50, range50 };
}

/** Bin of forecast minute h at place h - 1. */
export const BIN_OF_MINUTE: readonly number[] = Array.from({ length: HORIZON_BARS }, (_, i) =>
  BIN_STARTS.findLastIndex((start) => start <= i + 1),
);

/** Minute of the hour (0 to 59) of the h-th candle after t0. */
export function minuteOfHour(t0: number, h: number): number {
  return Math.floor(t0 / MINUTE_S + h) % 60;
}

export function tableClassOf(assetClass: AssetClass): TableClass {
  return assetClass === 'crypto' || assetClass === 'equity' ? assetClass : 'metal';
}

/** Head 0 to 5: bins; 6: rv50; 7: range50. */
function linear(model: HarModel, features: Features, head: number): number {
  const tableClass = tableClassOf(features.assetClass);
  const base = [...model.logVariance, model.logRv50, model.logRange50][head] ?? [];
  const offset = tableClass === 'crypto' ? [] : (model.sessionOffsets[tableClass][head] ?? []);
  return dot(base, features.values) + dot(offset, features.session);
}

export function dot(coefficients: readonly number[], values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < coefficients.length; i++) sum += (coefficients[i] ?? 0) * (values[i] ?? 0);
  return sum;
}

function limited(logValue: number): number {
  return Math.max(-LOG_VARIANCE_LIMIT, Math.min(LOG_VARIANCE_LIMIT, logValue));
}
