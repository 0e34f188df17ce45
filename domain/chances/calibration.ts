/** Factors that the widths of chances are multiplied with, fitted on validation windows only. */
import type { Remaining } from './close-chance.ts';

export type CalibratedKind = 'close' | 'window' | 'touch' | 'first';

export interface Calibration {
  version: string;
  /** Share of a normal walk with the forecast's variance in the chance of a close; the rest is the quantiles'. */
  walkShare: number;
  /** By kind: the factor at some numbers of bars left, rising; linear in the logarithm of the bars between them. */
  widths: Readonly<Record<CalibratedKind, readonly (readonly [barsLeft: number, width: number])[]>>;
}

/** No correction: what a fit starts from. */
export const PLAIN: Calibration = {
  version: 'plain',
  walkShare: 0,
  widths: { close: [[1, 1]], window: [[1, 1]], touch: [[1, 1]], first: [[1, 1]] },
};

/** Written by `npm run lab -- measure chances --data DIR`: see docs/decisions/073-chances.md. */
export const CALIBRATION: Calibration = {
  version: 'chances-1',
  walkShare: 0.25,
  widths: {
    close: [[1, 1]],
    window: [[1, 1]],
    touch: [
      [5, 1],
      [15, 1.04],
    ],
    first: [[1, 1]],
  },
};

/** The factor of a kind for what is left; that of the nearest end beyond the fitted numbers of bars. */
export function widthOf({ widths }: Calibration, kind: CalibratedKind, { elapsed, bar }: Remaining): number {
  const points = widths[kind];
  const left = bar - elapsed;
  const after = points.findIndex(([bars]) => bars >= left);
  const upper = points[after === -1 ? points.length - 1 : after] ?? [1, 1];
  const lower = after > 0 ? (points[after - 1] ?? upper) : upper;
  if (lower[0] === upper[0]) return upper[1];
  const share = Math.log(left / lower[0]) / Math.log(upper[0] / lower[0]);
  return lower[1] + (upper[1] - lower[1]) * share;
}
