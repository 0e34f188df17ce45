/**
 * The gallery's accuracy: how often a drawn path was on the right side of the last real close. It says little about a
 * forecast, whose substance is its bands; a coin toss would get about half.
 */

/** Every fifth bar, counted from 1: ten of fifty. */
export const CHECK_BARS = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50] as const;

/** From these percentages a badge is green (good) or yellow (fair; R-PAGES-12). */
export const GOOD_ACCURACY = 80;
export const FAIR_ACCURACY = 60;

export type AccuracyGrade = 'good' | 'fair' | 'poor';

export interface PathAndOutcome {
  lastClose: number;
  /** Closes of the 50 bars after the last real one. */
  forecast: readonly number[];
  outcome: readonly number[];
}

/**
 * For each check bar, whether forecast and outcome close on the same side of the last real close. A close equal to it
 * is on no side, so it never counts as right.
 */
export function checkPoints({ lastClose, forecast, outcome }: PathAndOutcome): boolean[] {
  return CHECK_BARS.map((bar) => {
    const drawn = sideOf(forecast[bar - 1], lastClose);
    return drawn !== 0 && drawn === sideOf(outcome[bar - 1], lastClose);
  });
}

/** Percent of the check points that are right: 0, 10, ..., 100. */
export function galleryAccuracy(example: PathAndOutcome): number {
  const points = checkPoints(example);
  return Math.round((100 * points.filter(Boolean).length) / points.length);
}

export function accuracyGrade(accuracy: number): AccuracyGrade {
  if (accuracy >= GOOD_ACCURACY) return 'good';
  return accuracy >= FAIR_ACCURACY ? 'fair' : 'poor';
}

function sideOf(close: number | undefined, lastClose: number): number {
  if (close === undefined || !Number.isFinite(close)) throw new RangeError('A check bar has no close.');
  return Math.sign(close - lastClose);
}
