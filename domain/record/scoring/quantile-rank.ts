/** Where an outcome fell within a forecast distribution: the probability integral transform. */
import { UPPER_LEVELS } from '../ledger/ledger.ts';

/** 1 in units of the rank. */
const RANK_UNITS = 10_000;
const MIDDLE = RANK_UNITS / 2;

/**
 * Linear between levels; beyond the outermost one as if on it, because nothing is said of how the tails go on. Where
 * several levels share one quantile, the middle of them. Mirroring `y` mirrors the rank.
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

/** The level at `distance`, coming from below: of equal quantiles the first. */
function levelBelow(distance: number, upper: readonly number[]): number {
  const at = upper.findIndex((quantile) => quantile >= distance);
  if (at === -1) return UPPER_LEVELS.at(-1) ?? 1;
  return between(at, distance, upper);
}

/** The level at `distance`, coming from above: of equal quantiles the last. */
function levelAbove(distance: number, upper: readonly number[]): number {
  const at = upper.findIndex((quantile) => quantile > distance);
  if (at === -1) return UPPER_LEVELS.at(-1) ?? 1;
  return between(at, distance, upper);
}

/** On the line to place `at` from the one before it. */
function between(at: number, distance: number, upper: readonly number[]): number {
  const [left, right] = [upper[at - 1] ?? 0, upper[at] ?? 0];
  const [from, to] = [UPPER_LEVELS[at - 1] ?? 0.5, UPPER_LEVELS[at] ?? 1];
  return from + ((distance - left) / (right - left)) * (to - from);
}
