/** A model's figures as text. A miss reads as plainly as a hit, and an interval that contains 0 shows no difference. */
import { joinNames } from '../../format/names.ts';
import { formatPrice, percentChange, plainPercent } from '../../format/price.ts';
import { type AssetClass, SYMBOLS } from '../../market/symbols.ts';
import type { GroupFigures, Interval, ModelFigures } from '../model-figures.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '../models.ts';
import { isNotEvaluated, measuredLabels, type SymbolSummary } from './evaluation.ts';

export function shortName(model: ModelName): string {
  return MODELS[model].label.replace(/ \(.*\)$/, '');
}

/** The verdict of a skill's interval: an end at 0 shows no difference. */
export function verdictOf([, low, high]: Interval): 'better' | 'worse' | 'no difference' {
  if (low > 0) return 'better';
  return high < 0 ? 'worse' : 'no difference';
}

/** Keeps an interval on one line. */
const NO_BREAK = '\u00a0';

const SKILL_DECIMALS = 2;
const COVERAGE_DECIMALS = 1;
const MORE_DECIMALS = 2;

/** Decimals that show no end beside the border as on it: the digits must not contradict the verdict. */
function decimalsOf([, low, high]: Interval, border: number, least: number): number {
  const isMoved = (end: number, decimals: number) => end !== border && Number(end.toFixed(decimals)) === border;
  let decimals = least;
  while (decimals < least + MORE_DECIMALS && [low, high].some((end) => isMoved(end, decimals))) decimals += 1;
  return decimals;
}

function rangeText([, low, high]: Interval, decimals: number): string {
  return `[${formatPrice(low, decimals)},${NO_BREAK}${formatPrice(high, decimals)}]`;
}

/** The interval of a skill: '[0.70, 1.20]', or '[0.003, 0.082]' when two decimals would show an end as 0. */
export function skillRange(skill: Interval): string {
  return rangeText(skill, decimalsOf(skill, 0, SKILL_DECIMALS));
}

/** The estimate of a skill, with as many decimals as its interval: '+0.92%'. */
export function skillPercent(skill: Interval): string {
  return percentChange(skill[0], decimalsOf(skill, 0, SKILL_DECIMALS));
}

/** '+1.04% [0.78, 1.36]' */
export function skillText(skill: Interval): string {
  return `${skillPercent(skill)} ${skillRange(skill)}`;
}

/** Per cent of closes inside a band, and the interval: '79.2' and '[78.5, 79.9]'. */
export function coverageParts(coverage: Interval, target: number): { estimate: string; range: string } {
  const decimals = decimalsOf(coverage, target, COVERAGE_DECIMALS);
  return { estimate: formatPrice(coverage[0], decimals), range: rangeText(coverage, decimals) };
}

/** '78.9 [78.2, 79.6]' */
export function coverageText(coverage: Interval, target: number): string {
  const { estimate, range } = coverageParts(coverage, target);
  return `${estimate} ${range}`;
}

/** Six-hour blocks from which an interval may be called a difference; with fewer it is only reported. */
export const ENOUGH_BLOCKS = 200;

export function hasEnoughBlocks({ skill }: GroupFigures): boolean {
  return skill.blocks >= ENOUGH_BLOCKS;
}

/**
 * A skill against a baseline: '+0.92% over a random walk [0.70, 1.20]'.
 * @param baseline  with its article, such as 'a random walk'
 * @param isEnough  false: the interval rests on too few blocks for a verdict
 */
export function describeSkill(skill: Interval, baseline: string, isEnough = true): string {
  if (!isEnough) return `${skillPercent(skill)} against ${baseline} ${skillRange(skill)}, not enough data`;
  const verdict = verdictOf(skill);
  if (verdict === 'better') return `${skillPercent(skill)} over ${baseline} ${skillRange(skill)}`;
  if (verdict === 'worse') return `worse than ${baseline}, ${skillText(skill)}`;
  return `no significant difference from ${baseline}, ${skillText(skill)}`;
}

/** Two of our models on the same windows: 'Lion beats Bobcat by 0.08% [0.03, 0.12].' */
export function describePair(model: ModelName, other: ModelName, skill: Interval, isEnough = true): string {
  const [one, two] = [shortName(model), shortName(other)];
  if (!isEnough) return `${one} against ${two}: ${skillText(skill)}, not enough data.`;
  const verdict = verdictOf(skill);
  if (verdict === 'better') return `${one} beats ${two} by ${skillText(skill).replace(/^\+/, '')}.`;
  if (verdict === 'worse') return `${one} is worse than ${two}: ${skillText(skill)}.`;
  return `No significant difference between ${one} and ${two}: ${skillText(skill)}.`;
}

/** BTC, ETH, SOL and DOGE: the only group with enough blocks for a verdict, thanks to a month of DOGE of 2026. */
export const MAIN_GROUP = 'four-pairs';
/** The same group without that month. */
const GROUP_OF_2025 = 'crypto-test';

/** Says when the 2025 spans alone show no lead. '' when not measured. */
export function describeOrder(
  model: ModelName,
  other: ModelName,
  groups: readonly GroupFigures[],
  group: string,
): string {
  const on = (name: string) => groups.find((one) => one.group === name);
  const [figures, skill] = [on(group), on(group)?.skill.pairedSkillPercent[other]?.all];
  if (figures === undefined || skill === undefined) return '';
  const isEnough = hasEnoughBlocks(figures);
  const message = describePair(model, other, skill, isEnough);
  const alone = group === MAIN_GROUP ? on(GROUP_OF_2025)?.skill.pairedSkillPercent[other]?.all : undefined;
  if (alone === undefined || !isEnough || verdictOf(skill) === 'no difference') return message;
  if (verdictOf(alone) !== 'no difference') return message;
  return `${message} On the 2025 test spans alone, the interval contains 0: ${skillText(alone)}.`;
}

export function smallerModels(model: ModelName): readonly ModelName[] {
  return MODEL_NAMES.slice(0, MODEL_NAMES.indexOf(model));
}

const GROUP_OF_CLASS: Partial<Record<AssetClass, RegExp>> = {
  crypto: /^(crypto|four)/,
  equity: /^(shares|equity)/,
  metal: /^(gold|metal)/,
};

/** The first group of a class with enough blocks, else the one with the most; null when nothing was measured. */
export function groupOf(groups: readonly GroupFigures[], assetClass: AssetClass): GroupFigures | null {
  const pattern = GROUP_OF_CLASS[assetClass];
  const ofClass = groups.filter(({ group }) => pattern?.test(group));
  return ofClass.find(hasEnoughBlocks) ?? ofClass.toSorted((a, b) => b.skill.blocks - a.skill.blocks)[0] ?? null;
}

/** The symbols that a group was measured on, by display name, in the picker's order: 'BTC, ETH, SOL and DOGE'. */
export function measuredNames(group: GroupFigures): string {
  const placeOf = (name: string): number => {
    const place = SYMBOLS.findIndex(({ label }) => label === name);
    return place === -1 ? SYMBOLS.length : place;
  };
  return joinNames(measuredLabels(group).sort((a, b) => placeOf(a) - placeOf(b)));
}

/** The harder to beat of two: refitted per symbol, or fitted on the whole class. */
export function hardestHar({ skill }: GroupFigures): Interval {
  const [own, pooled] = [skill.crpsSkillPercent['har-empirical'].all, skill.crpsSkillPercent['har-pooled'].all];
  return pooled[0] < own[0] ? pooled : own;
}

/** Has no hit rate, because nothing measured beats the last close. @returns '' for a model without figures */
export function modelLine(entry: ModelFigures | undefined, { assetClass, label }: SymbolSummary): string {
  if (entry === undefined) return '';
  const unavailable = unavailableLine(entry);
  if (unavailable !== null) return unavailable;
  if (isNotEvaluated(entry, { assetClass, label })) return `Not evaluated on ${label}.`;
  const group = groupOf(entry.figures?.groups ?? [], assetClass);
  if (group === null) return '';
  return `Band skill on ${measuredNames(group)}: ${describeBand(group, describeSkillBriefly)}; no directional skill.${unbeatenLine(entry, group)}`;
}

/** Null for a model that can forecast. */
export function unavailableLine({ state }: ModelFigures): string | null {
  if (state === 'ready') return null;
  return state === 'disabled'
    ? 'Unavailable right now, so it can’t forecast.'
    : 'Not trained yet, so it can’t forecast.';
}

/** ' Not shown to be better than Bobcat.', or '' for a model that beats every smaller one. */
export function unbeatenLine({ model }: ModelFigures, group: GroupFigures): string {
  const unbeaten = smallerModels(model).filter((smaller) => {
    const skill = group.skill.pairedSkillPercent[smaller]?.all;
    return skill !== undefined && !(hasEnoughBlocks(group) && verdictOf(skill) === 'better');
  });
  return unbeaten.length === 0 ? '' : ` Not shown to be better than ${unbeaten.map(shortName).join(' or ')}.`;
}

function describeBand(group: GroupFigures, describe: typeof describeSkillBriefly): string {
  const isEnough = hasEnoughBlocks(group);
  const walk = describe(group.skill.crpsSkillPercent['ewma-gauss'].all, 'a random walk', isEnough);
  return `${walk}, ${describe(hardestHar(group), 'HAR', isEnough)}${isEnough ? '' : ', not enough data'}`;
}

/** A skill without its interval, for a line that has no room for it. */
function describeSkillBriefly(skill: Interval, baseline: string, isEnough: boolean): string {
  const percent = percentChange(skill[0]);
  const verdict = isEnough ? verdictOf(skill) : null;
  if (verdict === null) return `${percent} against ${baseline}`;
  if (verdict === 'better') return `${percent} over ${baseline}`;
  return verdict === 'worse' ? `worse than ${baseline} (${percent})` : `no significant difference from ${baseline}`;
}

function describeSkillFully(skill: Interval, baseline: string, isEnough: boolean): string {
  return isEnough
    ? describeSkill(skill, baseline)
    : `${describeSkillBriefly(skill, baseline, false)} ${skillRange(skill)}`;
}

/** What was measured of a model on symbols like the one viewed, shown beside a forecast. */
export function describeMeasured(entry: ModelFigures | undefined, { assetClass, label }: SymbolSummary): string {
  const figures = entry?.figures;
  if (!figures) return '';
  if (isNotEvaluated(entry, { assetClass, label })) {
    return `Not evaluated on ${label}: there was no data for it. Its band comes from other markets.`;
  }
  const group = groupOf(figures.groups, assetClass);
  if (group === null) return '';
  const [covered] = group.skill.coverage.pooled80;
  return `Measured on ${group.title}. Band skill: ${describeBand(group, describeSkillFully)}; ${plainPercent(covered, 1)} of closes fell inside the 80% band. No directional skill.`;
}

/** What a group's pooled log-HAR was fitted on: 'all coins'. */
export function describePooled(group: string): string {
  if (GROUP_OF_CLASS.equity?.test(group)) return 'all shares';
  return GROUP_OF_CLASS.metal?.test(group) ? 'all gold' : 'all coins';
}

/** '3 forecasts were withheld as implausible ...'; '' when there were none. */
export function describeWithheld({ withheld }: GroupFigures): string {
  if (withheld === 0) return '';
  const [forecasts, windows] =
    withheld === 1 ? ['forecast was', 'its window is'] : ['forecasts were', 'their windows are'];
  return `${formatPrice(withheld, 0)} ${forecasts} withheld as implausible; ${windows} excluded from all figures.`;
}
