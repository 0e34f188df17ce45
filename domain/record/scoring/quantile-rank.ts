/** An outcome's rank within a forecast distribution: the probability integral transform. */
import { UPPER_LEVELS } from '../ledger/ledger.ts';

/** The rank 1 in whole units. */
const RANK_UNITS = 10_000;
const MIDDLE = RANK_UNITS / 2;

/**
 * Linear between levels; beyond the outermost level, that level, because the tails are not specified. When several
 * levels share one quantile, the middle of them. Mirroring `y` mirrors the rank.
 *
 * @param upper  quantiles at UPPER_LEVELS, not falling, none below 0; the lower half mirrors them and the median is 0
 * @returns 0 to 10,000
 */
export function quantileRank(y: number, upper: readonly number[]): number {
  if (y === 0) return MIDDLE;
  const distance = Math.abs(y);
  const offset = Math.round(RANK_UNITS * ((levelBelow(distance, upper) + levelAbove(distance, upper)) / 2 - 0.5));
  return MIDDLE + Math.sign(y) * offset;
}

/** The level at `distance`, from below: the first of equal quantiles. */
function levelBelow(distance: number, upper: readonly number[]): number {
  const at = upper.findIndex((quantile) => quantile >= distance);
  if (at === -1) return UPPER_LEVELS.at(-1) ?? 1;
  return between(at, distance, upper);
}

/** The level at `distance`, from above: the last of equal quantiles. */
function levelAbove(distance: number, upper: readonly number[]): number {
  const at = upper.findIndex((quantile) => quantile > distance);
  if (at === -1) return UPPER_LEVELS.at(-1) ?? 1;
  return between(at, distance, upper);
}

/** Interpolates between index `at` and the one before it. */
function between(at: number, distance: number, upper: readonly number[]): number {
  const [left, right] = [upper[at - 1] ?? 0, upper[at] ?? 0];
  const [from, to] = [UPPER_LEVELS[at - 1] ?? 0.5, UPPER_LEVELS[at] ?? 1];
  return from + ((distance - left) / (right - left)) * (to - from);
}
