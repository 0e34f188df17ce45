/**
 * Returns and variances minute by minute. After a gap in time the return starts at the candle's own open, so that moves
 * while the market was closed are in no statistic.
 */
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

/** @param candles  well-formed, strictly rising in time */
export function minuteSeries(candles: readonly Candle[]): MinuteSeries {
  const count = candles.length;
  const returns = new Float64Array(count);
  const parkinson = new Float64Array(count);
  const blended = new Float64Array(count);
  let lastGapIndex = -1;
  let previous: Candle | undefined;
  for (let i = 0; i < count; i++) {
    const candle = candles[i];
    if (candle === undefined) break;
    const isGap = previous !== undefined && candle.time - previous.time !== MINUTE_S;
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
