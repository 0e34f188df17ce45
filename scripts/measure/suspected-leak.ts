/**
 * What is too good to be true, against the better of the two log-HARs. The whole prize for knowing the realised volatility
 * itself is 7 to 9 % of CRPS, and about a fifth of it is reachable; the direction of a minute is not. Forecasting facts, sections 1 and 7.
 */
import type { ScoreColumn, SkillTable } from '#domain/forecast/model-figures.ts';
import type { ScoredWindow } from './windows/score-windows.ts';

/** Per cent over log-HAR: ten times what is attainable. At one minute the minute of the hour gives most. */
const MAX_SKILL_PERCENT: readonly (readonly [ScoreColumn, number])[] = [
  ['h1', 5],
  ['h5', 3],
  ['h10', 3],
  ['h25', 3],
  ['h50', 3],
];
/** Never reached by a median that is the last close: it says no direction. */
const MAX_HIT_PERCENT = 53;
/** Below this many said directions a rate is chance. */
const MIN_CALLS = 1000;

/** @param who  place of the model in `scores` @returns reasons in words; empty where nothing is suspicious */
export function suspectedLeaks(table: SkillTable, windows: readonly ScoredWindow[], who: number): string[] {
  const reasons = MAX_SKILL_PERCENT.flatMap(([column, most]) => {
    const rivals = ['har-empirical', 'har-pooled'] as const;
    const skill = Math.min(...rivals.map((rival) => table.crpsSkillPercent[rival][column][0]));
    if (skill <= most) return [];
    return [`CRPS skill over log-HAR at ${column} is ${skill} %; nobody without the future reaches ${most} %`];
  });
  const calls = windows.reduce((sum, { scores }) => sum + (scores[who]?.calls ?? 0), 0);
  const hits = windows.reduce((sum, { scores }) => sum + (scores[who]?.hits ?? 0), 0);
  const hitPercent = (100 * hits) / calls;
  if (calls >= MIN_CALLS && hitPercent > MAX_HIT_PERCENT) {
    reasons.push(`the median's direction is right in ${hitPercent.toFixed(1)} % of ${calls} closes`);
  }
  return reasons;
}
