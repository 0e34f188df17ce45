/**
 * Scores one drawn path against the actual candles. Everything is in natural logarithms of prices relative to the last
 * real close, in basis points (1 bp = 0.0001 of ln), so that symbols of any price compare. Every error of the path
 * comes with that of the last close (the random walk's forecast): a path shows skill only where its error is smaller.
 */
import * as z from 'zod/mini';
import { HORIZON_BARS } from '../../forecast/window.ts';
import { type Candle, isWellFormed } from '../../market/candle.ts';

export const SCORED_BARS = [1, 5, 15, 30, 50] as const;
export type ScoredBar = (typeof SCORED_BARS)[number];

const BP = 10_000;

export interface PathAndCandles {
  /** Close of the last real candle the model saw. */
  lastClose: number;
  /** 50 forecast candles, oldest first. */
  path: readonly Candle[];
  /** The real candles of the same 50 minutes. */
  outcome: readonly Candle[];
}

const figure = z.number();
const errorSchema = z.object({
  /** Mean absolute error over the 50 bars, bp. */
  maeBp: figure,
  /** Root of the mean squared error over the 50 bars, bp; never less than the mean absolute error. */
  rmseBp: figure,
  /** Absolute error at single bars, bp. */
  atBarBp: z.object({ 1: figure, 5: figure, 15: figure, 30: figure, 50: figure }),
});

export const pathScoreSchema = z.object({
  /** Errors of the path's closes. */
  path: errorSchema,
  /** Errors of the last close as a flat line. */
  lastClose: errorSchema,
  /** Mean absolute errors of the path's highs and lows, bp. */
  highMaeBp: figure,
  lowMaeBp: figure,
  /** ln(highest high / lowest low) over the 50 bars, bp: drawn and actual. */
  rangeBp: z.object({ path: figure, outcome: figure }),
  /** Share, 0 to 1, of the real closes between the drawn low and high of their own minute. */
  insideShare: figure,
  /**
   * For information only, not a measure of skill. Share, 0 to 1, of the bars on which path and outcome are on the same
   * side of the last close, among those where the outcome is off it; null when it never left it.
   */
  sameSideShare: z.nullable(figure),
});
export type PathScore = z.infer<typeof pathScoreSchema>;
export type PathError = PathScore['path'];

/** @throws RangeError unless both sides hold the same 50 well-formed minutes and the last close is positive */
export function scorePath({ lastClose, path, outcome }: PathAndCandles): PathScore {
  requireComparable(lastClose, path, outcome);
  const drawn = path.map((candle) => lnBp(candle.close, lastClose));
  const real = outcome.map((candle) => lnBp(candle.close, lastClose));
  return {
    path: errorOf(real.map((y, i) => y - (drawn[i] ?? 0))),
    lastClose: errorOf(real),
    highMaeBp: mean(path.map((candle, i) => Math.abs(lnBp(outcome[i]?.high ?? 0, candle.high)))),
    lowMaeBp: mean(path.map((candle, i) => Math.abs(lnBp(outcome[i]?.low ?? 0, candle.low)))),
    rangeBp: { path: rangeBp(path), outcome: rangeBp(outcome) },
    insideShare: mean(path.map((candle, i) => (isInside(outcome[i]?.close ?? 0, candle) ? 1 : 0))),
    sameSideShare: sameSideShare(drawn, real),
  };
}

export type Nearer = 'path' | 'last-close' | 'equal';

/** Which of the two was nearer to the actual price: at one bar, or overall by the mean absolute error. */
export function nearerOf(score: PathScore, bar: ScoredBar | 'mean' = 'mean'): Nearer {
  const of = (error: PathError): number => (bar === 'mean' ? error.maeBp : error.atBarBp[bar]);
  const difference = of(score.path) - of(score.lastClose);
  if (difference === 0) return 'equal';
  return difference < 0 ? 'path' : 'last-close';
}

/** @param errorsBp  signed, one for each of the 50 bars */
function errorOf(errorsBp: readonly number[]): PathError {
  const at = (bar: ScoredBar): number => Math.abs(errorsBp[bar - 1] ?? Number.NaN);
  return {
    maeBp: mean(errorsBp.map(Math.abs)),
    rmseBp: Math.sqrt(mean(errorsBp.map((error) => error * error))),
    atBarBp: { 1: at(1), 5: at(5), 15: at(15), 30: at(30), 50: at(50) },
  };
}

function rangeBp(candles: readonly Candle[]): number {
  const high = Math.max(...candles.map((candle) => candle.high));
  const low = Math.min(...candles.map((candle) => candle.low));
  return lnBp(high, low);
}

function isInside(close: number, { low, high }: Candle): boolean {
  return low <= close && close <= high;
}

function sameSideShare(drawn: readonly number[], real: readonly number[]): number | null {
  const sided = real.flatMap((y, i) => (y === 0 ? [] : [Math.sign(y) === Math.sign(drawn[i] ?? 0)]));
  return sided.length === 0 ? null : sided.filter(Boolean).length / sided.length;
}

function lnBp(price: number, basis: number): number {
  return BP * Math.log(price / basis);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function requireComparable(lastClose: number, path: readonly Candle[], outcome: readonly Candle[]): void {
  if (!(lastClose > 0) || !Number.isFinite(lastClose)) throw new RangeError("The last close isn't a price.");
  if (path.length !== HORIZON_BARS || outcome.length !== HORIZON_BARS)
    throw new RangeError(`A path and its outcome have ${HORIZON_BARS} candles each.`);
  const isSameMinute = path.every((candle, i) => candle.time === outcome[i]?.time);
  if (!isSameMinute) throw new RangeError('Path and outcome are of different minutes.');
  if (![...path, ...outcome].every(isWellFormed)) throw new RangeError('A candle is malformed.');
}
