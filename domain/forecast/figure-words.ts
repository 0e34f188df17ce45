/** Figures of a model in words. A miss reads as plainly as a hit, and an interval that holds 0 shows no difference. */
import { formatChange, formatPrice } from '../format/price.ts';
import { type AssetClass, type MarketSymbol, SYMBOLS } from '../market/symbols.ts';
import type { GroupFigures, Interval, ModelFigures } from './model-figures.ts';
import { MODEL_NAMES, MODELS, type ModelName } from './models.ts';

/** Name of a model without its generation: 'Lion'. */
export function shortName(model: ModelName): string {
  return MODELS[model].label.replace(/ \(.*\)$/, '');
}

/** What an interval of a skill shows: an end at 0 shows nothing. */
export function verdictOf([, low, high]: Interval): 'better' | 'worse' | 'no difference' {
  if (low > 0) return 'better';
  return high < 0 ? 'worse' : 'no difference';
}

/** Keeps a figure on one line. */
const NO_BREAK = '\u00a0';

/** '+0.92 %'; what rounds to zero has no sign. */
export function percentText(percent: number, decimals = 2): string {
  return `${formatChange(percent, decimals)}${NO_BREAK}%`;
}

/** What is asked for, and how many more may follow. */
const SKILL_DECIMALS = 2;
const COVERAGE_DECIMALS = 1;
const MORE_DECIMALS = 2;

/**
 * How many decimals an interval and its estimate need so that no end off the border is shown on it: a verdict is
 * about the border, and its digits must not deny it.
 */
function decimalsOf([, low, high]: Interval, border: number, least: number): number {
  const isMoved = (end: number, decimals: number) => end !== border && Number(end.toFixed(decimals)) === border;
  let decimals = least;
  while (decimals < least + MORE_DECIMALS && [low, high].some((end) => isMoved(end, decimals))) decimals += 1;
  return decimals;
}

function rangeText([, low, high]: Interval, decimals: number): string {
  return `[${formatPrice(low, decimals)},${NO_BREAK}${formatPrice(high, decimals)}]`;
}

/** The interval of a skill: '[0.70, 1.20]', or '[0.003, 0.082]' where two decimals would show an end as 0. */
export function skillRange(skill: Interval): string {
  return rangeText(skill, decimalsOf(skill, 0, SKILL_DECIMALS));
}

/** The estimate of a skill, with as many decimals as its interval has: '+0.92 %'. */
export function skillPercent(skill: Interval): string {
  return percentText(skill[0], decimalsOf(skill, 0, SKILL_DECIMALS));
}

/** '+1.04 % [0.78, 1.36]' */
export function skillText(skill: Interval): string {
  return `${skillPercent(skill)} ${skillRange(skill)}`;
}

/** Closes inside a band, of 100, and their interval: '79.2' and '[78.5, 79.9]'. */
export function coverageParts(coverage: Interval, target: number): { estimate: string; range: string } {
  const decimals = decimalsOf(coverage, target, COVERAGE_DECIMALS);
  return { estimate: formatPrice(coverage[0], decimals), range: rangeText(coverage, decimals) };
}

/** '78.9 [78.2, 79.6]' */
export function coverageText(coverage: Interval, target: number): string {
  const { estimate, range } = coverageParts(coverage, target);
  return `${estimate} ${range}`;
}

/** Six-hour blocks from which on an interval may be called a difference; below, it is only reported. Protocol of measuring. */
export const ENOUGH_BLOCKS = 200;

export function hasEnoughBlocks({ skill }: GroupFigures): boolean {
  return skill.blocks >= ENOUGH_BLOCKS;
}

/**
 * A skill against a baseline: '+0.92 % over a random walk [0.70, 1.20]'.
 * @param baseline  with its article, such as 'a random walk'
 * @param isEnough  false: the interval stands on too few blocks to call anything
 */
export function skillWords(skill: Interval, baseline: string, isEnough = true): string {
  if (!isEnough) return `${skillPercent(skill)} against ${baseline} ${skillRange(skill)}, too few blocks to call`;
  const verdict = verdictOf(skill);
  if (verdict === 'better') return `${skillPercent(skill)} over ${baseline} ${skillRange(skill)}`;
  if (verdict === 'worse') return `worse than ${baseline}, ${skillText(skill)}`;
  return `no difference from ${baseline} shown, ${skillText(skill)}`;
}

/** Two of our models on the same windows: 'Lion beats Bobcat by 0.08 % [0.03, 0.12].' */
export function pairWords(model: ModelName, other: ModelName, skill: Interval, isEnough = true): string {
  const [one, two] = [shortName(model), shortName(other)];
  if (!isEnough) return `${one} against ${two}: ${skillText(skill)}, too few blocks to call.`;
  const verdict = verdictOf(skill);
  if (verdict === 'better') return `${one} beats ${two} by ${skillText(skill).replace(/^\+/, '')}.`;
  if (verdict === 'worse') return `${one} is worse than ${two}: ${skillText(skill)}.`;
  return `No difference shown between ${one} and ${two}: ${skillText(skill)}.`;
}

/** BTC, ETH, SOL and DOGE: the one group that stands on enough blocks for a verdict, by a month of DOGE of 2026. */
export const MAIN_GROUP = 'four-pairs';
/** The same without that month. */
const GROUP_OF_2025 = 'crypto-test';

/** A model against a smaller one on a group; a lead that the spans of 2025 alone do not show says so. '' where unmeasured. */
export function orderWords(model: ModelName, other: ModelName, groups: readonly GroupFigures[], group: string): string {
  const on = (name: string) => groups.find((one) => one.group === name);
  const [figures, skill] = [on(group), on(group)?.skill.pairedSkillPercent[other]?.all];
  if (figures === undefined || skill === undefined) return '';
  const isEnough = hasEnoughBlocks(figures);
  const words = pairWords(model, other, skill, isEnough);
  const alone = group === MAIN_GROUP ? on(GROUP_OF_2025)?.skill.pairedSkillPercent[other]?.all : undefined;
  if (alone === undefined || !isEnough || verdictOf(skill) === 'no difference') return words;
  if (verdictOf(alone) !== 'no difference') return words;
  return `${words} On the test spans of 2025 alone the interval holds 0: ${skillText(alone)}.`;
}

/** The models below one in the order of their names. */
export function smallerModels(model: ModelName): readonly ModelName[] {
  return MODEL_NAMES.slice(0, MODEL_NAMES.indexOf(model));
}

const GROUP_OF_CLASS: Partial<Record<AssetClass, RegExp>> = {
  crypto: /^(crypto|four)/,
  equity: /^(shares|equity)/,
  metal: /^(gold|metal)/,
};

/**
 * The figures that speak for symbols of a class: its first group that stands on enough blocks, else the one that stands
 * on the most; null where nothing was measured.
 */
export function groupOf(groups: readonly GroupFigures[], assetClass: AssetClass): GroupFigures | null {
  const pattern = GROUP_OF_CLASS[assetClass];
  const ofClass = groups.filter(({ group }) => pattern?.test(group));
  return ofClass.find(hasEnoughBlocks) ?? ofClass.toSorted((a, b) => b.skill.blocks - a.skill.blocks)[0] ?? null;
}

/** What a group was measured on, as people call it, in the order of the picker: 'BTC, ETH, SOL and DOGE'. */
export function measuredNames({ skill }: GroupFigures): string {
  const placeOf = (name: string): number => {
    const place = SYMBOLS.findIndex(({ label }) => label === name);
    return place === -1 ? SYMBOLS.length : place;
  };
  const names = [...new Set(skill.symbols.map(plainName))].sort((a, b) => placeOf(a) - placeOf(b));
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' and ');
}

/** 'BTCUSDT.P' and 'BTCUSDT' are 'BTC', 'aux-ADAUSDT.P' is 'ADA'. */
function plainName(symbol: string): string {
  const name = symbol
    .replace(/^aux-/, '')
    .replace(/\.P$/, '')
    .replace(/USDT?$/, '');
  return name === 'XAU' ? 'Gold' : name;
}

/** The log-HAR that left the model less to gain: refitted per symbol, or fitted on the whole class. */
function hardestHar({ skill }: GroupFigures): Interval {
  const [own, pooled] = [skill.crpsSkillPercent['har-empirical'].all, skill.crpsSkillPercent['har-pooled'].all];
  return pooled[0] < own[0] ? pooled : own;
}

/** A symbol that somebody looks at, as the picker has it. */
export type ToldSymbol = Pick<MarketSymbol, 'assetClass' | 'label'>;

/**
 * One line for a list of models, on symbols like the one looked at: against the easiest baseline and a hard one, named.
 * Intervals stand beside the forecast. No hit rate stands in it: nothing measured beats the last close.
 * @returns '' for a model that nothing is known of
 */
export function modelLine(entry: ModelFigures | undefined, { assetClass, label }: ToldSymbol): string {
  if (entry === undefined) return '';
  if (entry.state === 'not-trained') return 'Not trained yet: it cannot forecast.';
  if (entry.state === 'disabled') return 'Out of order: it cannot forecast now.';
  if (entry.figures?.notEvaluated.includes(assetClass)) return `Not evaluated on ${label}.`;
  const group = groupOf(entry.figures?.groups ?? [], assetClass);
  if (group === null) return `Ready. Its skill on ${label} has not been measured.`;
  const { pairedSkillPercent } = group.skill;
  const unproven = smallerModels(entry.model).filter((smaller) => {
    const skill = pairedSkillPercent[smaller]?.all;
    return skill !== undefined && !(hasEnoughBlocks(group) && verdictOf(skill) === 'better');
  });
  const order = unproven.length === 0 ? '' : ` Not shown to be better than ${unproven.map(shortName).join(' or ')}.`;
  return `Band skill on ${measuredNames(group)}: ${bandWords(group, shortSkillWords)}; direction: none.${order}`;
}

/** The skill of a group's bands against the easiest baseline and a hard one. */
function bandWords(group: GroupFigures, words: typeof shortSkillWords): string {
  const isEnough = hasEnoughBlocks(group);
  const walk = words(group.skill.crpsSkillPercent['ewma-gauss'].all, 'a random walk', isEnough);
  return `${walk}, ${words(hardestHar(group), 'HAR', isEnough)}${isEnough ? '' : ', too few blocks to call'}`;
}

/** A skill without its interval, for a line that has no room. */
function shortSkillWords(skill: Interval, baseline: string, isEnough: boolean): string {
  const percent = percentText(skill[0]);
  const verdict = isEnough ? verdictOf(skill) : null;
  if (verdict === null) return `${percent} against ${baseline}`;
  if (verdict === 'better') return `${percent} over ${baseline}`;
  return verdict === 'worse' ? `worse than ${baseline} (${percent})` : `no difference from ${baseline} shown`;
}

function longSkillWords(skill: Interval, baseline: string, isEnough: boolean): string {
  return isEnough ? skillWords(skill, baseline) : `${shortSkillWords(skill, baseline, false)} ${skillRange(skill)}`;
}

/** What was measured of a model on symbols like the one looked at, for the side of a forecast. */
export function measuredWords(entry: ModelFigures | undefined, { assetClass, label }: ToldSymbol): string {
  const figures = entry?.figures;
  if (!figures) return '';
  if (figures.notEvaluated.includes(assetClass)) {
    return `Not evaluated on ${label}: no data existed to measure the model on it. The band borrows from other markets.`;
  }
  const group = groupOf(figures.groups, assetClass);
  if (group === null) return '';
  const [covered] = group.skill.coverage.pooled80;
  return `Measured on ${group.title}. Band skill: ${bandWords(group, longSkillWords)}; ${formatPrice(covered, 1)}${NO_BREAK}% of closes fell inside the 80${NO_BREAK}% band. Direction: none.`;
}

/** What the log-HAR of a group's whole class was fitted on: 'all coins'. */
export function pooledWords(group: string): string {
  if (GROUP_OF_CLASS.equity?.test(group)) return 'all shares';
  return GROUP_OF_CLASS.metal?.test(group) ? 'all gold' : 'all coins';
}

/** '3 forecasts were withheld as not plausible ...'; '' where none was. */
export function withheldWords({ withheld }: GroupFigures): string {
  if (withheld === 0) return '';
  const [forecasts, windows] =
    withheld === 1 ? ['forecast was', 'its window is'] : ['forecasts were', 'their windows are'];
  return `${formatPrice(withheld, 0)} ${forecasts} withheld as not plausible; ${windows} in no figure.`;
}
