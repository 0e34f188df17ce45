/**
 * Intervals by resampling blocks of six hours, or of a day for longer candles, common to all symbols. Forecasts overlap
 * and markets move together, so single records are not independent. Whole blocks are drawn with replacement, and the statistic is computed on the
 * sums of each draw.
 */

import { DEFAULT_TIMEFRAME, type Timeframe } from '../../market/timeframes.ts';

/** Records are summed by this. */
export const BLOCK_S = 6 * 3600;

/** Seconds of one drawn block: fifty longer bars last up to half a day, and shorter blocks would call them independent. */
export function drawnBlockS(timeframe: Timeframe): number {
  return timeframe === DEFAULT_TIMEFRAME ? BLOCK_S : 4 * BLOCK_S;
}

export interface Resampling {
  draws: number;
  random: () => number;
}

export interface BlockEstimate {
  value: number;
  /** The 2.5 and 97.5% points over the draws. */
  low: number;
  high: number;
}

/** Resamples once, so all figures of a table share the draws. @param blocks  sums of equal length, oldest first */
export function blockEstimator(
  blocks: readonly Float64Array[],
  { draws, random }: Resampling,
): (statistic: (sums: Float64Array) => number) => BlockEstimate {
  const whole = totalOf(blocks, blocks);
  const drawn = Array.from({ length: draws }, () =>
    totalOf(
      blocks,
      blocks.map(() => blocks[Math.floor(random() * blocks.length)] ?? whole),
    ),
  );
  return (statistic) => {
    const sorted = Float64Array.from(drawn, statistic).sort();
    return {
      value: statistic(whole),
      low: sorted[Math.floor(0.025 * draws)] ?? Number.NaN,
      high: sorted[Math.ceil(0.975 * draws) - 1] ?? Number.NaN,
    };
  };
}

function totalOf(blocks: readonly Float64Array[], taken: readonly Float64Array[]): Float64Array {
  const width = blocks[0]?.length ?? 0;
  const total = new Float64Array(width);
  for (const block of taken) {
    for (let column = 0; column < width; column++) total[column] = (total[column] ?? 0) + (block[column] ?? 0);
  }
  return total;
}
