/**
 * Even knowing the realised volatility itself improves CRPS by only 7 to 9%, and about a fifth of that is reachable;
 * the direction of a minute is not.
 */
import type { ScoreColumn, SkillTable } from '../../domain/forecast/model-figures.ts';
import type { ScoredWindow } from './windows/score-windows.ts';

/** Per cent over log-HAR: ten times what is attainable. At one minute, the minute of the hour gives most. */
const MAX_SKILL_PERCENT: readonly (readonly [ScoreColumn, number])[] = [
  ['h1', 5],
  ['h5', 3],
  ['h10', 3],
  ['h25', 3],
  ['h50', 3],
];
/** A median equal to the last close predicts no direction, so it never reaches this. */
const MAX_HIT_PERCENT = 53;
/** With fewer predicted directions the rate is chance. */
const MIN_CALLS = 1000;

/** @param who  index of the model in `scores` @returns reasons as sentences; empty if nothing is suspicious */
export function suspectedLeaks(
  table: SkillTable,
  windows: readonly Pick<ScoredWindow, 'scores'>[],
  who: number,
): string[] {
  const reasons = MAX_SKILL_PERCENT.flatMap(([column, most]) => {
    const rivals = ['har-empirical', 'har-pooled'] as const;
    const skill = Math.min(...rivals.map((rival) => table.crpsSkillPercent[rival][column][0]));
    if (skill <= most) return [];
    return [`CRPS skill over log-HAR at ${column} is ${skill}%; no model without future data reaches ${most}%`];
  });
  const calls = windows.reduce((sum, { scores }) => sum + (scores[who]?.calls ?? 0), 0);
  const hits = windows.reduce((sum, { scores }) => sum + (scores[who]?.hits ?? 0), 0);
  const hitPercent = (100 * hits) / calls;
  if (calls >= MIN_CALLS && hitPercent > MAX_HIT_PERCENT) {
    reasons.push(`the median's direction is right in ${hitPercent.toFixed(1)}% of ${calls} closes`);
  }
  return reasons;
}
