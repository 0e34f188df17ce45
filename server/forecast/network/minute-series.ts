/** Returns and ranges of successive bars, and means of them. Fitting, serving and measuring use this. */
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';

/** Parkinson: the variance of a driftless walk is its squared log range over 4 ln 2. */
const PARKINSON = 4 * Math.LN2;

export interface MinuteSeries {
  /** Log returns; close to close, or open to close after a gap and for the first candle. */
  returns: Float64Array;
  /** ln(high / low) squared, over 4 ln 2. */
  parkinson: Float64Array;
  /** Half squared return, half Parkinson: less noise than either. */
  blended: Float64Array;
  /** Index of the last candle that follows a gap, or -1. */
  lastGapIndex: number;
}

/** @param candles  well-formed, strictly rising in time. @param barS  their length: a longer step is a gap */
export function minuteSeries(candles: readonly Candle[], barS = MINUTE_S): MinuteSeries {
  const count = candles.length;
  const returns = new Float64Array(count);
  const parkinson = new Float64Array(count);
  const blended = new Float64Array(count);
  let lastGapIndex = -1;
  let previous: Candle | undefined;
  for (let i = 0; i < count; i++) {
    const candle = candles[i];
    if (candle === undefined) break;
    const isGap = previous !== undefined && candle.time - previous.time !== barS;
    if (isGap) lastGapIndex = i;
    const from = previous === undefined || isGap ? candle.open : previous.close;
    const logReturn = Math.log(candle.close / from);
    const logRange = Math.log(candle.high / candle.low);
    returns[i] = logReturn;
    parkinson[i] = (logRange * logRange) / PARKINSON;
    blended[i] = blendedVariance(logReturn, logRange);
    previous = candle;
  }
  return { returns, parkinson, blended, lastGapIndex };
}

export function blendedVariance(logReturn: number, logRange: number): number {
  return 0.5 * logReturn * logReturn + (0.5 * logRange * logRange) / PARKINSON;
}

const HALF_LIFE_BARS = 60;

/** Exponentially weighted mean, newest last. */
export function ewma(values: Float64Array, halfLifeBars = HALF_LIFE_BARS): number {
  const decay = 0.5 ** (1 / halfLifeBars);
  let sum = 0;
  let weight = 0;
  for (const value of values) {
    sum = sum * decay + value;
    weight = weight * decay + 1;
  }
  return sum / weight;
}

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
  return clamp(0.5 * Math.log(variance / (scale * scale) + QUIET_SHARE), LOG_RATIO_LIMIT);
}

export function clamp(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}
