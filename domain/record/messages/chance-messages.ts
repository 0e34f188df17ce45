/** The results of recorded chances as text, computed from their intervals. */
import { counted } from '../../format/count.ts';
import { formatPrice, plainPercent } from '../../format/price.ts';
import type { ChanceDecile, ChanceFigures, ChanceSummary } from '../chances/chance-summary.ts';
import { TRACK_PERIODS } from '../figures/track-summary.ts';
import { describeEstimate, findingOf, formatRange, LEAST_BLOCKS } from './verdict.ts';

/** The baseline of chances: a normal walk with the exponentially weighted volatility. */
export const CHANCE_BASELINE = 'the EWMA-Gauss baseline';

export type ChanceMeasure = 'skillBrier' | 'skillLog';

/** One comparison, without a full stop or capital. */
export function describeChanceSkill(figures: ChanceFigures, measure: ChanceMeasure): string {
  const size = `${counted(figures.n, 'chance')}, ${counted(figures.blocks, 'block')}`;
  return describeEstimate(figures[measure], size, CHANCE_BASELINE);
}

/** The answer first: whether the chances beat the baseline, then whether they happened as often as stated. */
export function chanceVerdict(summary: ChanceSummary): string[] {
  const { all, counts, period, window, deciles } = summary;
  if (counts.issued === 0) return ['No chances have been recorded in this period yet.'];
  if (all.n === 0)
    return [
      counts.waiting > 0
        ? `No chances scored yet. Each is scored when its ${window}-minute window has closed.`
        : 'No chances could be scored in this period.',
    ];
  if (findingOf(all.skillBrier) === 'unknown')
    return [
      `Not enough data yet: ${counted(all.n, 'chance')} scored in ${counted(all.blocks, 'six-hour block')}. A comparison needs ${LEAST_BLOCKS} blocks.`,
    ];
  const brier = describeChanceSkill(all, 'skillBrier');
  return [
    `Over the last ${TRACK_PERIODS[period]} days: ${brier}, by the Brier score.`,
    ...describeReliability(deciles),
  ];
}

export type DecileFinding = 'as-stated' | 'too-low' | 'too-high' | 'unknown';

/** Whether the mean chance of a decile is within the interval of how often it came true. */
export function decileFinding({ chance, happened }: ChanceDecile): DecileFinding {
  if (chance === null || happened?.interval == null) return 'unknown';
  const [low, high] = happened.interval;
  if (chance < low) return 'too-low';
  return chance > high ? 'too-high' : 'as-stated';
}

function describeReliability(deciles: readonly ChanceDecile[]): string[] {
  const found = deciles.map((decile, i) => ({ i, finding: decileFinding(decile) }));
  const known = found.filter(({ finding }) => finding !== 'unknown');
  if (known.length === 0) return [];
  const off = known.filter(({ finding }) => finding !== 'as-stated');
  if (off.length === 0) return [`All measured deciles (${known.length}) happened as often as stated.`];
  const named = off.map(({ i, finding }) => `${decileName(i)} was ${finding === 'too-low' ? 'too low' : 'too high'}`);
  const held = `${known.length - off.length} of ${known.length} measured deciles happened as often as stated`;
  return [`${held}; ${named.join(', ')}.`];
}

/** '60 to 70%'. @param decile  from 0 */
export function decileName(decile: number): string {
  return `${decile * 10} to ${plainPercent((decile + 1) * 10, 0)}`;
}

/** '64.2 of 100 (60.1 to 68.3%)', or without an interval. */
export function describeHappened({ happened }: ChanceDecile): string {
  if (happened === null) return 'none recorded';
  const share = `${formatPrice(100 * happened.value, 1)} of 100`;
  return happened.interval === null ? share : `${share} (${formatRange(happened.interval, 1)})`;
}
