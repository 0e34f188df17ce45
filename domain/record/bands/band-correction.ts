/** Factors on the 80 and 95% band by scored bar, learnt from the record: see adaptive-bands.ts. */
import { SCORED_BARS } from '../scoring/scoring.ts';

/** By scored bar, greater than 0; 1 changes nothing. */
export interface BandCorrection {
  p80: readonly number[];
  p95: readonly number[];
}

export const NO_CORRECTION: BandCorrection = {
  p80: SCORED_BARS.map(() => 1),
  p95: SCORED_BARS.map(() => 1),
};

/** The factors of the bands at any bar, 1 to 50, interpolated linearly in the logarithm of the bar. */
export function factorsAt(correction: BandCorrection, bar: number): { p80: number; p95: number } {
  const after = SCORED_BARS.findIndex((scored) => scored >= bar);
  const to = after === -1 ? SCORED_BARS.length - 1 : after;
  const from = Math.max(0, to - 1);
  const [left, right] = [Math.log(SCORED_BARS[from] ?? 1), Math.log(SCORED_BARS[to] ?? 1)];
  const share = right === left ? 1 : Math.min(1, Math.max(0, (Math.log(bar) - left) / (right - left)));
  const at = (factors: readonly number[]): number => (1 - share) * (factors[from] ?? 1) + share * (factors[to] ?? 1);
  return { p80: at(correction.p80), p95: at(correction.p95) };
}

const [LEVEL_80, LEVEL_95] = [0.9, 0.975];

/**
 * The quantiles that are shown: those within the 80% band times its factor, those beyond the 95% band times that
 * band's factor, and a mixture in between. They never fall from one level to the next.
 *
 * @param levels  rising, all above 0.5
 * @param upper  the model's quantile at each level, of one bar
 */
export function correctedUpper(
  levels: readonly number[],
  upper: readonly number[],
  factors: { p80: number; p95: number },
): number[] {
  let previous = 0;
  return upper.map((quantile, i) => {
    const level = levels[i] ?? 1;
    const share = Math.min(1, Math.max(0, (level - LEVEL_80) / (LEVEL_95 - LEVEL_80)));
    previous = Math.max(previous, quantile * ((1 - share) * factors.p80 + share * factors.p95));
    return previous;
  });
}
