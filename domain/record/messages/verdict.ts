/**
 * The public record's results as text, computed from its intervals. A difference is named only when its 95% interval
 * is entirely on one side; an interval that touches 0 is 'no measurable edge', and a missing one is 'not enough data'.
 */

import { horizonDuration } from '../../forecast/horizon-duration.ts';
import type { ModelName } from '../../forecast/models.ts';
import { counted, groupedCount } from '../../format/count.ts';
import { formatPrice, plainPercent } from '../../format/price.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '../../market/timeframes.ts';
import { type Estimate, TRACK_PERIODS, type TrackFigures, type TrackSummary } from '../figures/track-summary.ts';
import { timeframeOfRecord } from '../ledger/ledger.ts';

export type BaselineFinding = 'better' | 'none' | 'worse' | 'unknown';

export const RECORD_BASELINES = {
  ewma: 'the EWMA baseline',
  har: 'log-HAR',
  lastClose: 'the last close',
} as const;
export type RecordBaseline = keyof typeof RECORD_BASELINES;

/** Blocks below which there is no interval: see lab/measuring.md. */
export const LEAST_BLOCKS = 12;

/** Shares are shown to a hundredth of a percent at most, so an end nearer to 0 than that touches it. */
const FINEST = 0.0001;
/** Share of comparisons that differ by chance alone. */
const BY_CHANCE = 0.05;

/** @param skill  1 - error / error of the baseline */
export function findingOf(skill: Estimate | null): BaselineFinding {
  if (skill?.interval == null || ![skill.value, ...skill.interval].every(Number.isFinite)) return 'unknown';
  const [low, high] = skill.interval;
  if (Math.min(low, high) >= FINEST) return 'better';
  return Math.max(low, high) <= -FINEST ? 'worse' : 'none';
}

/** One comparison, without a full stop or capital. */
export function describeSkill(figures: TrackFigures, baseline: RecordBaseline): string {
  return describeEstimate(skillOf(figures, baseline), formatSize(figures), RECORD_BASELINES[baseline]);
}

/** @param size  of what the skill was measured on, such as '180 records, 4 blocks' */
export function describeEstimate(skill: Estimate | null, size: string, baseline: string): string {
  const finding = findingOf(skill);
  if (skill?.interval == null || finding === 'unknown') return `not enough data yet (${size})`;
  if (finding === 'none') return `no measurable edge over ${baseline} (${formatRange(skill.interval)})`;
  return `${finding} than ${baseline} by ${formatDifference(skill)}`;
}

export type CoverageFinding = 'holds' | 'narrow' | 'wide' | 'unknown';

/** Whether a band's coverage matches its level: the level is within the interval. */
export function coverageFinding(level: 80 | 95, coverage: Estimate | null): CoverageFinding {
  if (coverage?.interval == null) return 'unknown';
  const [low, high] = coverage.interval;
  if (high < level / 100) return 'narrow';
  return low > level / 100 ? 'wide' : 'holds';
}

/** One band, without a full stop or capital. @param bandKind  as users were shown it, or as the model produced it */
export function describeCoverage(level: 80 | 95, figures: TrackFigures, bandKind: 'shown' | 'model' = 'shown'): string {
  const shown = level === 80 ? figures.cover80 : figures.cover95;
  const model = level === 80 ? figures.modelCover80 : figures.modelCover95;
  const coverage = bandKind === 'shown' ? shown : model;
  const band = bandKind === 'shown' ? `the ${level}% band` : `the model’s own ${level}% band`;
  if (coverage === null) return `nothing is scored yet for ${band}`;
  const covered = `${band} covered ${plainPercent(100 * coverage.value, 1)}`;
  if (coverage.interval === null)
    return `${covered} of closes so far (${formatSize(figures)}, not enough for an interval)`;
  const ends: Record<CoverageFinding, string> = {
    holds: '',
    narrow: ': too narrow',
    wide: ': too wide',
    unknown: '',
  };
  return `${covered} of closes (${formatRange(coverage.interval, 1)})${ends[coverageFinding(level, coverage)]}`;
}

export function describeChance(comparisons: number): string {
  const expected = Math.round(comparisons * BY_CHANCE);
  const of = `Of ${counted(comparisons, 'comparison')}`;
  if (comparisons * BY_CHANCE < 1) return `${of}, fewer than one would stand out by chance.`;
  return `${of}, about ${NUMBER_WORDS[expected] ?? groupedCount(expected)} would stand out by chance.`;
}

const NUMBER_WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** One or two sentences, the answer first. Covers the models that users see, all scored bars together. */
export function trackVerdict(summary: TrackSummary): string[] {
  const { counts } = summary;
  const timeframe = timeframeOfRecord(summary);
  const models = summary.models.filter(({ role, all }) => role === 'serving' && all.n > 0);
  if (counts.issued === 0) return ['No forecasts have been issued in this period yet.'];
  if (models.length === 0)
    return [
      counts.waiting > 0
        ? `No forecasts scored yet. Each is scored ${horizonDuration(timeframe)} after it is issued.`
        : 'No forecasts could be scored in this period.',
    ];
  const compared = (['ewma', 'har'] as const).map((baseline) => {
    const findings = models.map(({ model, all }) => ({ model, all, finding: findingOf(skillOf(all, baseline)) }));
    return { baseline, findings, answer: answerOf(findings.map(({ finding }) => finding)) };
  });
  if (compared.every(({ answer }) => answer === 'unknown'))
    return [
      notEnough(
        models.map(({ all }) => all),
        timeframe,
      ),
    ];
  const details = compared.filter(({ answer }) => answer !== 'unknown').map(detailOf);
  return [describeAnswer(summary, compared), `${capitalised(details.join('; '))}.`];
}

type Compared = {
  baseline: 'ewma' | 'har';
  findings: { model: ModelName; all: TrackFigures; finding: BaselineFinding }[];
  answer: BaselineFinding;
};

/** Combines several models against one baseline: better when some model is, worse when every one is. */
function answerOf(findings: readonly BaselineFinding[]): BaselineFinding {
  const known = findings.filter((finding) => finding !== 'unknown');
  if (known.length === 0) return 'unknown';
  if (known.includes('better')) return 'better';
  return known.every((finding) => finding === 'worse') ? 'worse' : 'none';
}

function describeAnswer({ period }: TrackSummary, compared: readonly Compared[]): string {
  const over = `over the last ${TRACK_PERIODS[period]} days`;
  const named = (answer: BaselineFinding): string[] =>
    compared.filter((one) => one.answer === answer).map(({ baseline }) => RECORD_BASELINES[baseline]);
  const [better, none, worse] = [named('better'), named('none'), named('worse')];
  const rest = [
    ...(none.length > 0 ? [`no measurable edge over ${anyOf(none)}`] : []),
    ...(worse.length > 0 ? [`every model was worse than ${allOf(worse)}`] : []),
  ];
  if (better.length > 0) return `${[`Better than ${allOf(better)} ${over}`, ...rest].join('; ')}.`;
  if (none.length === 0) return `Worse than ${allOf(worse)} ${over}.`;
  const other = worse.length > 0 ? `, and every model was worse than ${allOf(worse)}` : '';
  return `No measurable edge: ${over}, no model’s bands were significantly better than ${anyOf(none)}${other}.`;
}

function detailOf({ baseline, findings }: Compared): string {
  const groups = findings.map(({ model, all, finding }) => {
    const label = capitalised(model);
    const skill = skillOf(all, baseline);
    if (skill?.interval == null || finding === 'unknown') return `${label} does not have enough data`;
    if (finding === 'none') return `${label} showed no measurable edge (${formatRange(skill.interval)})`;
    return `${label} was ${finding} by ${formatDifference(skill)}`;
  });
  return `against ${RECORD_BASELINES[baseline]}, ${allOf(groups)}`;
}

function notEnough(figures: readonly TrackFigures[], timeframe: Timeframe): string {
  const block = timeframe === DEFAULT_TIMEFRAME ? 'six-hour block' : 'one-day block';
  const n = figures.reduce((sum, one) => sum + one.n, 0);
  const blocks = Math.max(...figures.map((one) => one.blocks));
  return `Not enough data yet: ${counted(n, 'record')} scored in ${counted(blocks, block)}. A comparison needs ${LEAST_BLOCKS} blocks.`;
}

function skillOf(figures: TrackFigures, baseline: RecordBaseline): Estimate | null {
  if (baseline === 'lastClose') return figures.skillLastClose;
  return baseline === 'ewma' ? figures.skillEwma : figures.skillHar;
}

/** The size of the difference without its sign, which the adjacent word gives. */
function formatDifference({ value, interval }: Estimate): string {
  const bounds = (interval ?? []).map(Math.abs).sort((a, b) => a - b);
  const range: [number, number] = [bounds[0] ?? 0, bounds[1] ?? 0];
  return `${plainPercent(100 * Math.abs(value), decimalsFor(range))} (${formatRange(range)})`;
}

export function formatRange(interval: readonly [number, number], decimals = decimalsFor(interval)): string {
  return `${formatPrice(100 * interval[0], decimals)} to ${plainPercent(100 * interval[1], decimals)}`;
}

/** One decimal, or two when an end would be shown as 0. */
function decimalsFor(interval: readonly [number, number]): 1 | 2 {
  return interval.some((end) => end !== 0 && Math.abs(end) < 0.0005) ? 2 : 1;
}

function formatSize({ n, blocks }: Pick<TrackFigures, 'n' | 'blocks'>): string {
  return `${counted(n, 'record')}, ${counted(blocks, 'block')}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function anyOf(names: readonly string[]): string {
  return listed(names, 'or');
}

function allOf(names: readonly string[]): string {
  return listed(names, 'and');
}

function listed(names: readonly string[], conjunction: 'and' | 'or'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`;
}
