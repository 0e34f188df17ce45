/**
 * What is too good to be true. The whole prize for knowing the realised volatility itself is 7 to 9 % of CRPS, and about a
 * fifth of it is reachable; the direction of a minute is not. Forecasting facts, sections 1 and 7.
 */
import { SCORED_HORIZONS, type SkillTable } from '#domain/forecast/model-figures.ts';
import type { ScoredWindow } from './score-windows.ts';

/** Per cent over log-HAR at 5 minutes and beyond: ten times what is attainable there. */
const MAX_SKILL_PERCENT = 3;
const MIN_SUSPECT_HORIZON = 5;
const MAX_HIT_PERCENT = 53;
/** Below this many said directions a rate is chance. */
const MIN_CALLS = 1000;

/** @param who  place of the model in `scores` @returns reasons in words; empty where nothing is suspicious */
export function suspectedLeaks(table: SkillTable, windows: readonly ScoredWindow[], who: number): string[] {
  const horizons = SCORED_HORIZONS.filter((h) => h >= MIN_SUSPECT_HORIZON);
  const reasons = horizons.flatMap((h) => {
    const [skill] = table.crpsSkillPercent['har-empirical'][`h${h}`];
    if (skill <= MAX_SKILL_PERCENT) return [];
    return [
      `CRPS skill over har-empirical at h${h} is ${skill} %; nobody without the future reaches ${MAX_SKILL_PERCENT} %`,
    ];
  });
  const calls = windows.reduce((sum, { scores }) => sum + (scores[who]?.calls ?? 0), 0);
  const hits = windows.reduce((sum, { scores }) => sum + (scores[who]?.hits ?? 0), 0);
  const hitPercent = (100 * hits) / calls;
  if (calls >= MIN_CALLS && hitPercent > MAX_HIT_PERCENT) {
    reasons.push(`the median's direction is right in ${hitPercent.toFixed(1)} % of ${calls} closes`);
  }
  return reasons;
}
