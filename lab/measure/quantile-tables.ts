/** Quantile tables of the baselines: the distribution of standardised moves, symmetric, smoothed by horizon. */
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import { UPPER_LEVELS } from '../../server/forecast/models/manifest.ts';

const SMOOTH_BARS = 2;

/** [h - 1][upper level] of |ln(C[t+h] / C[t])| over sigma_h. */
export type UpperTable = readonly (readonly number[])[];

/** Moves ln(C[t+h] / C[t]) over their volatility, h = 1..50. */
export function standardised(change: Float64Array, sigma: Float64Array): Float64Array {
  return change.map((y, i) => y / (sigma[i] ?? 1));
}

/**
 * @param moves  ln(C[t+h]
 * C[t])
 * sigma_h, h = 1..50, one array per window
 * @returns a level tau above the middle is the (2 tau - 1) quantile of the absolute move
 */
export function empiricalTable(moves: readonly Float64Array[], smoothBars = SMOOTH_BARS): UpperTable {
  const raw = Array.from({ length: HORIZON_BARS }, (_, i) => {
    const sorted = Float64Array.from(moves, (window) => Math.abs(window[i] ?? 0)).sort();
    const at = (probability: number): number => sorted[Math.max(0, Math.ceil(probability * sorted.length) - 1)] ?? 0;
    return UPPER_LEVELS.map((level) => at(2 * level - 1));
  });
  return raw.map((_, i) => {
    const near = raw.slice(Math.max(0, i - smoothBars), i + smoothBars + 1);
    return UPPER_LEVELS.map((__, level) => near.reduce((sum, row) => sum + (row[level] ?? 0), 0) / near.length);
  });
}

/** The same table for every horizon: the normal distribution. */
export function normalTable(): UpperTable {
  const row = UPPER_LEVELS.map(normalQuantile);
  return Array.from({ length: HORIZON_BARS }, () => row);
}

/** By bisection on the distribution function: slow and robust, called a dozen times. */
function normalQuantile(p: number): number {
  let low = 0;
  let high = 10;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (normalDistribution(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Series of Abramowitz and Stegun 26.2.10, exact enough for |x| < 10. */
function normalDistribution(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= (x * x) / (2 * n + 1);
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}
