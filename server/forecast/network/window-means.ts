/** Means over the end of a lookback, and their logarithms relative to its scale. */

/** Keeps the logarithm of a quiet stretch finite: a hundredth of the scale's variance. */
const QUIET_SHARE = 0.01;
const LOG_RATIO_LIMIT = 3;

/** Mean of the last `count` values, or of all where there are fewer. */
export function tailMean(values: Float64Array, count: number): number {
  const start = Math.max(0, values.length - count);
  let sum = 0;
  for (let i = start; i < values.length; i++) sum += values[i] ?? 0;
  return sum / (values.length - start);
}

/** ln of a volatility relative to the scale, clamped to +-3. */
export function logRatio(variance: number, scale: number): number {
  return limited(0.5 * Math.log(variance / (scale * scale) + QUIET_SHARE), LOG_RATIO_LIMIT);
}

/** The value, clamped to +-limit. */
export function limited(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}
