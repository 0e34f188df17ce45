/** The quantile table: standardised moves of windows that no coefficient has seen, made symmetric, smoothed along the horizon. */
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { UPPER_LEVELS } from '../../server/forecast/model-file.ts';
import { rounded, weightedQuantiles } from '../measure/weighted-quantiles.ts';

const SMOOTH_BARS = 2;

export interface StandardisedMoves {
  weight: number;
  /** ln(C[t+h] / C[t]) / sigma_h, h = 1..50. */
  moves: Float64Array;
}

/** [h - 1][upper level]; a level tau above the middle is the (2 tau - 1) quantile of the absolute move. */
export function fitUpperQuantiles(samples: readonly StandardisedMoves[], smoothBars = SMOOTH_BARS): number[][] {
  const weights = Float64Array.from(samples, (sample) => sample.weight);
  const probabilities = UPPER_LEVELS.map((level) => 2 * level - 1);
  const raw = Array.from({ length: HORIZON_BARS }, (_, i) =>
    weightedQuantiles(
      Float64Array.from(samples, (sample) => Math.abs(sample.moves[i] ?? 0)),
      weights,
      probabilities,
    ),
  );
  return raw.map((_, i) => {
    const from = Math.max(0, i - smoothBars);
    const near = raw.slice(from, i + smoothBars + 1);
    return UPPER_LEVELS.map((__, level) =>
      rounded(near.reduce((sum, row) => sum + (row[level] ?? 0), 0) / near.length),
    );
  });
}

/** The same table for every horizon: the normal distribution. */
export function gaussUpperQuantiles(): number[][] {
  const row = UPPER_LEVELS.map(normalQuantile);
  return Array.from({ length: HORIZON_BARS }, () => row);
}

/** By bisection on the distribution function: slow and sure, called a dozen times. */
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
