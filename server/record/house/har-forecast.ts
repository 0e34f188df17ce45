/**
 * Log-HAR, the main baseline, with fitted coefficients: log variance of six bins of bars, linear in the lookback's
 * features. One implementation for fitting, measuring and the public record.
 */
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { BaselineNumbers } from '#domain/record/scoring/baseline-table.ts';
import type { Features } from '../../forecast/network/features.ts';

/** The first forecast minute of each bin; the last bin ends at minute 50. Bins: 1, 2-3, 4-5, 6-10, 11-25, 26-50. */
export const BIN_STARTS = [1, 2, 4, 6, 11, 26] as const;
export const BIN_OF_MINUTE = Array.from({ length: HORIZON_BARS }, (_, i) =>
  BIN_STARTS.findLastIndex((start) => start <= i + 1),
);
/** A forecast variance stays within e^-4 and e^4 of the recent one: coefficients are not trusted beyond that. */
const LOG_LIMIT = 4;

/** Columns are those of `Features.values`. */
export type HarCoefficients = Pick<BaselineNumbers, 'bins' | 'rv50' | 'range50'>;

export interface HarForecast {
  /** Volatility of ln(C[t+h] / C[t]), h = 1..50. */
  sigma: Float64Array;
  /** Realised volatility and ln(highest high / lowest low) of the 50 minutes. */
  rv50: number;
  range50: number;
}

/** @param varianceFactors  what scheduled releases do to each bar, as for the models; null: nothing */
export function harForecast(
  { bins, rv50, range50 }: HarCoefficients,
  { values, scale }: Pick<Features, 'values' | 'scale'>,
  varianceFactors: readonly number[] | null = null,
): HarForecast {
  const variances = bins.map((coefficients) => scale ** 2 * Math.exp(clamp(dot(coefficients, values))));
  let total = 0;
  let plain = 0;
  const sigma = Float64Array.from(BIN_OF_MINUTE, (bin, bar) => {
    const variance = variances[bin] ?? 0;
    plain += variance;
    total += variance * (varianceFactors?.[bar] ?? 1);
    return Math.sqrt(total);
  });
  const widening = Math.sqrt(total / plain);
  const scaled = (coefficients: readonly number[]): number =>
    scale * widening * Math.exp(clamp(dot(coefficients, values)));
  return { sigma, rv50: scaled(rv50), range50: scaled(range50) };
}

export function dot(coefficients: readonly number[], values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < coefficients.length; i++) sum += (coefficients[i] ?? 0) * (values[i] ?? 0);
  return sum;
}

function clamp(logValue: number): number {
  return Math.max(-LOG_LIMIT, Math.min(LOG_LIMIT, logValue));
}
