/**
 * What a chance is computed of: a forecast's quantiles, variances and path tables, checked once and used for any number
 * of questions.
 */
import { QUANTILE_LEVELS } from '../forecast/quantiles.ts';
import { HORIZON_BARS } from '../forecast/window.ts';
import type { CompiledTables } from './compiled-tables.ts';
import { type RefusedChance, refusal } from './refusals.ts';

/** The running hour needs up to sixty bars of a minute, ten more than a forecast has. */
export const MAX_BARS = 60;
/** Beyond the fiftieth bar each bar has the mean variance of the last ten forecast. */
const CONTINUED_BARS = 10;

export interface ChanceInput {
  /** Names symbol, model version, timeframe and t0: it seeds the paths, so that everyone gets the same answer. */
  key: string;
  /** Opening second of the last closed candle, and the seconds of a bar. */
  t0: number;
  barS: number;
  lastClose: number;
  /** Variance of each of the 50 bars' log returns. */
  variance: ArrayLike<number>;
  /** [h - 1][level of QUANTILE_LEVELS] of ln(C[t+h] / C[t]). */
  quantiles: readonly ArrayLike<number>[];
  /** Volatility of one bar by the baseline: an exponentially weighted mean, half-life 60 bars. */
  ewma: number;
  /** Null: questions that need paths are refused. */
  paths: { tables: CompiledTables; lengths: { returns: number; wicks: number } } | null;
}

export interface ChanceForecast extends Omit<ChanceInput, 'variance' | 'quantiles'> {
  /** Variance of each bar, MAX_BARS of them, and their sum up to bar n at index n (0 at index 0). */
  variance: Float64Array;
  cumulated: Float64Array;
  /** [h - 1] for the 50 bars: never rising towards the middle, and never narrower than the bar before. */
  rows: readonly Float64Array[];
}

/** Checks a forecast and prepares it. Refused unless every number is finite and in order. */
export function chanceForecast(input: ChanceInput): ChanceForecast | RefusedChance {
  const { variance, quantiles, ewma, lastClose, t0, barS } = input;
  const isWhole =
    variance.length === HORIZON_BARS &&
    quantiles.length === HORIZON_BARS &&
    areAll(variance, isPositive) &&
    quantiles.every((row) => row.length === QUANTILE_LEVELS.length && areAll(row, Number.isFinite) && isRising(row));
  const isTimed = Number.isSafeInteger(t0) && barS > 0 && Number.isFinite(barS);
  if (!isWhole || !isTimed || !isPositive(ewma) || !isPositive(lastClose)) return refusal('forecast-invalid');
  const continued = continuedVariance(variance);
  const cumulated = new Float64Array(MAX_BARS + 1);
  for (let bar = 1; bar <= MAX_BARS; bar++) cumulated[bar] = (cumulated[bar - 1] ?? 0) + (continued[bar - 1] ?? 0);
  return { ...input, variance: continued, cumulated, rows: wideningRows(quantiles) };
}

export function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

/** Variance of `bars` bars by then, of which `elapsed` bars (with a fraction) are over. */
export function varianceLeft({ variance, cumulated }: ChanceForecast, elapsed: number, bars: number): number {
  const whole = Math.floor(elapsed);
  const over = (cumulated[whole] ?? 0) + (elapsed - whole) * (variance[whole] ?? 0);
  return (cumulated[bars] ?? 0) - over;
}

/** Variance of each bar that is not over yet, up to bar `bars`; the first may be a part of a bar. */
export function variancesLeft({ variance }: ChanceForecast, elapsed: number, bars: number): Float64Array {
  const whole = Math.floor(elapsed);
  const left = variance.slice(whole, bars);
  left[0] = (left[0] ?? 0) * (1 - (elapsed - whole));
  return left;
}

function continuedVariance(variance: ArrayLike<number>): Float64Array {
  let mean = 0;
  for (let i = HORIZON_BARS - CONTINUED_BARS; i < HORIZON_BARS; i++) mean += (variance[i] ?? 0) / CONTINUED_BARS;
  return Float64Array.from({ length: MAX_BARS }, (_, i) => (i < HORIZON_BARS ? (variance[i] ?? 0) : mean));
}

/** A later close is never surer than an earlier one: each quantile is at least as far out as at the bar before. */
function wideningRows(quantiles: readonly ArrayLike<number>[]): Float64Array[] {
  const rows: Float64Array[] = [];
  let before = new Float64Array(QUANTILE_LEVELS.length);
  for (const row of quantiles) {
    const wide = Float64Array.from(row, (quantile, level) => {
      const last = before[level] ?? 0;
      if ((QUANTILE_LEVELS[level] ?? 0) === 0.5) return quantile;
      return (QUANTILE_LEVELS[level] ?? 0) > 0.5 ? Math.max(quantile, last) : Math.min(quantile, last);
    });
    rows.push(wide);
    before = wide;
  }
  return rows;
}

function areAll(values: ArrayLike<number>, holds: (value: number) => boolean): boolean {
  for (let i = 0; i < values.length; i++) if (!holds(values[i] ?? Number.NaN)) return false;
  return true;
}

function isRising(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if ((values[i] ?? 0) < (values[i - 1] ?? 0)) return false;
  return true;
}
