/**
 * Detects a forecaster whose drawn path repeats the last price instead of drawing how prices move. It uses only sums
 * over many records, so that anyone can compute them.
 *
 * There are two signs, each sufficient. The first is how many closes stay within 0.05 bp of the last close, beyond the
 * real ones that do: a path as volatile as its market repeats the price as often as the market does, whatever the tick,
 * while a copy always does. The second is how far the closes move: 50 copies with a little noise repeat nothing and get
 * nowhere. The common lag correlation adds nothing here: paths are relative to the last close, so a copy is a path of
 * zeros, and prices of adjacent minutes correlate by more than 0.999 for every forecaster.
 */
import { SCORED_BARS } from './scoring.ts';

/** 0.05 bp of ln in LN_UNITS: less than half a tick of any symbol here. */
export const COPY_UNITS = 5;

/** By scored bar. */
export interface CopySums {
  records: number;
  /** Closes of the path that repeat the last close, and real closes that did. */
  copies: readonly number[];
  unchanged: readonly number[];
  /** Sums of absolute changes from the last close, LN_UNITS: as drawn, and actual. */
  drawn: readonly number[];
  moved: readonly number[];
}

export const COPY_VERDICTS = ['repeats', 'moves', 'unknown'] as const;
export type CopyVerdict = (typeof COPY_VERDICTS)[number];

export const COPY_LABELS: Readonly<Record<CopyVerdict, string>> = {
  repeats: 'repeats the last price',
  moves: 'does not repeat the last price',
  unknown: 'not enough data yet',
};

/**
 * Half of the closes at which the market had moved. A copy repeats all of them, the shipped models none to one in ten,
 * the latter when a tick is as wide as a quiet minute. So the exact threshold does not matter.
 */
const MOST_COPIES = 0.5;
/** A tenth of the market's movement. A noisy copy moves a twentieth, the shipped models' typical paths 0.6 to 0.7. */
const LEAST_WAY = 0.1;
/** Fewest moved closes; with fewer, the share is known no better than to 7 points. */
const LEAST_CLOSES = 200;

/** True when a real close repeats the last close, by the same measure as a drawn one. @param actual  LN_UNITS */
export function isUnchanged(actual: number): boolean {
  return Math.abs(actual) <= COPY_UNITS;
}

export function copyVerdict({ records, copies, unchanged, drawn, moved }: CopySums): CopyVerdict {
  const movedCloses = SCORED_BARS.length * records - total(unchanged);
  if (movedCloses < LEAST_CLOSES) return 'unknown';
  const excess = (total(copies) - total(unchanged)) / movedCloses;
  const way = overRoots(drawn) / overRoots(moved);
  return excess >= MOST_COPIES || way < LEAST_WAY ? 'repeats' : 'moves';
}

function total(byBar: readonly number[]): number {
  return byBar.reduce((sum, value) => sum + value, 0);
}

/** Changes grow with the root of the bar, so dividing by it weighs all bars equally. */
function overRoots(byBar: readonly number[]): number {
  return total(byBar.map((value, at) => value / Math.sqrt(SCORED_BARS[at] ?? 1)));
}
