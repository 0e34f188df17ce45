/** Chances counted on drawn paths. Each is smoothed by half a path or less, so that none is 0 or 1. */
import type { DrawnPaths } from './draw-paths.ts';

/** Chance that some bar up to `bars` reaches `move` (ln of price over start, not 0). */
export function pathTouch({ pairs, bars: width, highest, lowest }: DrawnPaths, move: number, bars: number): number {
  const distance = Math.abs(move);
  let count = 0;
  for (let pair = 0; pair < pairs; pair++) {
    const at = pair * width + bars - 1;
    if ((highest[at] ?? 0) >= distance) count++;
    if ((lowest[at] ?? 0) <= -distance) count++;
  }
  return (count + 0.5) / (2 * pairs + 1);
}

/** Chances of reaching the upper price first, the lower one first, and neither. They sum to 1. */
export interface FirstChances {
  above: number;
  below: number;
  neither: number;
}

/**
 * @param above @param below  distances of the two prices from the start, both above 0. A bar that reaches both counts
 * half for each: its candle does not say which happened first.
 */
export function pathFirst(paths: DrawnPaths, above: number, below: number, bars: number): FirstChances {
  const count = { above: 0, below: 0 };
  for (let pair = 0; pair < paths.pairs; pair++) {
    const own = firstSide(paths, pair, above, below, bars);
    // The mirror image is above where the path is below.
    const mirrored = -firstSide(paths, pair, below, above, bars);
    for (const side of [own, mirrored]) {
      if (Number.isNaN(side)) continue;
      count.above += (1 + side) / 2;
      count.below += (1 - side) / 2;
    }
  }
  const all = 2 * paths.pairs;
  const share = (of: number): number => (of + 1 / 3) / (all + 1);
  return { above: share(count.above), below: share(count.below), neither: share(all - count.above - count.below) };
}

/** 1: above first; -1: below first; 0: both within one bar; NaN: neither. */
function firstSide(paths: DrawnPaths, pair: number, above: number, below: number, bars: number): number {
  const { bars: width, highest, lowest } = paths;
  const start = pair * width;
  const last = start + bars - 1;
  if ((highest[last] ?? 0) < above && (lowest[last] ?? 0) > -below) return Number.NaN;
  for (let at = start; at <= last; at++) {
    const isAbove = (highest[at] ?? 0) >= above;
    const isBelow = (lowest[at] ?? 0) <= -below;
    if (isAbove || isBelow) return Number(isAbove) - Number(isBelow);
  }
  return Number.NaN;
}
