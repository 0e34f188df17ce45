/** The chance that a bar closes above a price, in closed form from the forecast's quantiles. */
import { QUANTILE_LEVELS } from '../forecast/quantiles.ts';
import { HORIZON_BARS } from '../forecast/window.ts';
import { type ChanceForecast, varianceLeft } from './chance-forecast.ts';
import { normalCdf, normalQuantile } from './normal.ts';

const LEVEL_Z = QUANTILE_LEVELS.map(normalQuantile);
const LAST = QUANTILE_LEVELS.length - 1;
/** ln of the probability beyond the last level but one, over that beyond the last: ln(0.025 / 0.005). */
const TAIL_LOG_RATIO = Math.log((1 - (QUANTILE_LEVELS[LAST - 1] ?? 0)) / (1 - (QUANTILE_LEVELS[LAST] ?? 0)));
const TAIL_SHARE = 1 - (QUANTILE_LEVELS[LAST] ?? 0);

/** What of a forecast's bars is left: bars counted from the last closed candle, `elapsed` of them over. */
export interface Remaining {
  elapsed: number;
  bar: number;
}

/**
 * Probability that bar `bar` closes above the current price times e^move.
 *
 * The shape is that of the bar's quantiles, its width the root of the variance that is left. Beyond the fiftieth bar
 * the fiftieth's shape widens. @param width  a calibrated factor of the width
 */
export function closeAboveChance(
  forecast: ChanceForecast,
  { elapsed, bar }: Remaining,
  move: number,
  width = 1,
): number {
  const shapeBar = Math.min(bar, HORIZON_BARS);
  const row = forecast.rows[shapeBar - 1] ?? new Float64Array();
  const left = varianceLeft(forecast, elapsed, bar);
  const scale = width * Math.sqrt(left / (forecast.cumulated[shapeBar] ?? 1));
  return upperTailOf(row, move / scale);
}

/**
 * Probability of more than `x` by 25 quantiles: between two levels the normal score is linear. Beyond the outermost
 * level the tail falls off exponentially, as fast as from the last level but one to the last. That is slower than a
 * normal tail, as markets' are.
 */
export function upperTailOf(row: ArrayLike<number>, x: number): number {
  if (x > at(row, LAST)) return tailChance(at(row, LAST) - at(row, LAST - 1), x - at(row, LAST));
  if (x < at(row, 0)) return 1 - tailChance(at(row, 1) - at(row, 0), at(row, 0) - x);
  return normalCdf(-scoreAt(row, x));
}

function tailChance(step: number, beyond: number): number {
  return step > 0 ? TAIL_SHARE * Math.exp((-TAIL_LOG_RATIO * beyond) / step) : 0;
}

function scoreAt(row: ArrayLike<number>, x: number): number {
  let low = 0;
  while (at(row, low) < x) low++;
  let high = low;
  while (high < LAST && at(row, high + 1) <= x) high++;
  // Levels that share one quantile: the price may well stay where it is, and the middle of them is its rank.
  if (at(row, low) === x) return (z(low) + z(high)) / 2;
  const [from, to] = [at(row, low - 1), at(row, low)];
  return z(low - 1) + ((z(low) - z(low - 1)) * (x - from)) / (to - from);
}

function z(level: number): number {
  return LEVEL_Z[level] ?? 0;
}

function at(row: ArrayLike<number>, level: number): number {
  return row[level] ?? Number.NaN;
}
