/** How often a drawn path was on the right side of the last real close; a coin toss would get about half. */

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

/** For each check bar: same side of the last real close as the outcome? A close equal to it is never right. */
export function checkPoints({ lastClose, forecast, outcome }: PathAndOutcome): boolean[] {
  return CHECK_BARS.map((bar) => {
    const drawn = sideOf(forecast[bar - 1], lastClose);
    return drawn !== 0 && drawn === sideOf(outcome[bar - 1], lastClose);
  });
}

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
