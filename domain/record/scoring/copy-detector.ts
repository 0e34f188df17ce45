/**
 * Tells a forecaster whose drawn path repeats the last price from one that draws how prices move. From sums over many
 * records alone, so that anybody can add them up.
 *
 * Two signs, each enough. How many closes stand still (within 0.05 bp of the last close) beyond those that really did: a
 * path as restless as its market stands still as often as the market does, whatever the tick, a copy always. And how far
 * the closes go: a path of 50 copies with a little noise on them stands still nowhere and gets nowhere. The lag
 * correlation that is often asked for adds nothing here: paths are told from the last close on, so a copy is a path of
 * zeros, and prices of one minute correlate with those of the next by more than 0.999 for whoever forecasts them.
 */
import { SCORED_BARS } from './scoring.ts';

/** 0.05 bp of ln in LN_UNITS: less than half a tick of any symbol here. */
export const COPY_UNITS = 5;

/** By scored bar. */
export interface CopySums {
  records: number;
  /** Closes of the path that repeat the last close, and real closes that did. */
  copies: readonly number[];
  stood: readonly number[];
  /** Sums of absolute changes from the last close, LN_UNITS: as drawn, and as they came. */
  drawn: readonly number[];
  moved: readonly number[];
}

export const COPY_VERDICTS = ['repeats', 'moves', 'unknown'] as const;
export type CopyVerdict = (typeof COPY_VERDICTS)[number];

/** For people. */
export const COPY_WORDS: Readonly<Record<CopyVerdict, string>> = {
  repeats: 'repeats the last price',
  moves: 'does not repeat the last price',
  unknown: 'too little to tell yet',
};

/**
 * Half of the closes at which the market had moved. A copy repeats all of them, the shipped models none to one in ten,
 * the latter where a tick is as wide as a quiet minute: where exactly the threshold lies decides nothing.
 */
const MOST_COPIES = 0.5;
/** A tenth of the way that the market goes. A copy with noise goes a twentieth, the shipped models' typical paths six to seven tenths. */
const LEAST_WAY = 0.1;
/** Moved closes; with fewer the share is known no better than to 7 points. */
const LEAST_CLOSES = 200;

/** A real close that repeats the last close, by the same measure as a drawn one. @param actual  LN_UNITS */
export function hasStood(actual: number): boolean {
  return Math.abs(actual) <= COPY_UNITS;
}

export function copyVerdict({ records, copies, stood, drawn, moved }: CopySums): CopyVerdict {
  const movedCloses = SCORED_BARS.length * records - total(stood);
  if (movedCloses < LEAST_CLOSES) return 'unknown';
  const excess = (total(copies) - total(stood)) / movedCloses;
  const way = overRoots(drawn) / overRoots(moved);
  return excess >= MOST_COPIES || way < LEAST_WAY ? 'repeats' : 'moves';
}

function total(byBar: readonly number[]): number {
  return byBar.reduce((sum, value) => sum + value, 0);
}

/** Changes grow with the root of the bar: over it, no bar outweighs the others. */
function overRoots(byBar: readonly number[]): number {
  return total(byBar.map((value, at) => value / Math.sqrt(SCORED_BARS[at] ?? 1)));
}
