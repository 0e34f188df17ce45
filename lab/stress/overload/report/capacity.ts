/** Finds the largest load at which every bound holds, by stages of rising load. */
import type { StageFigures } from '../stage-figures.ts';
import { brokenBelowCapacity } from './bounds.ts';

/** In units of `UNIT_LOAD`. */
export const SEARCH_FACTORS = [0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8] as const;
/** A stage that breaks a bound is measured again, because other work on the machine occasionally breaks one. */
const MEASURED_AT_MOST = 2;

export interface SearchedLoad {
  factor: number;
  /** Empty: every bound held. */
  broken: string[];
  stage: StageFigures;
}

/** @returns every measured stage; the last one broke a bound, or the largest load held */
export async function findCapacity(
  measure: (factor: number, nth: number) => Promise<StageFigures>,
  factors: readonly number[] = SEARCH_FACTORS,
): Promise<SearchedLoad[]> {
  const searched: SearchedLoad[] = [];
  for (const factor of factors) {
    let holds = false;
    for (let measured = 0; measured < MEASURED_AT_MOST && !holds; measured++) {
      const stage = await measure(factor, searched.length);
      const broken = brokenBelowCapacity(stage);
      searched.push({ factor, broken, stage });
      holds = broken.length === 0;
    }
    if (!holds) break;
  }
  return searched;
}

/** @returns null if not even the smallest load held */
export function largestHeld(searched: readonly SearchedLoad[]): number | null {
  const held = searched.filter(({ broken }) => broken.length === 0).map(({ factor }) => factor);
  return held.length === 0 ? null : Math.max(...held);
}
