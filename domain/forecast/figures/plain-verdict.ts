/** The verdict on a model in plain language; figure-messages.ts has it with intervals. */
import { formatPrice } from '../../format/price.ts';
import type { GroupFigures, Interval, ModelFigures } from '../model-figures.ts';
import { isNotEvaluated, notEvaluatedLine, type SymbolSummary } from './evaluation.ts';
import { groupOf, hardestHar, hasEnoughBlocks, unavailableLine, unbeatenLine, verdictOf } from './figure-messages.ts';

/**
 * How accurate a model's range is beside simple forecasts', how often its band held, and which smaller model it does
 * not beat. @returns '' for a model without figures
 */
export function plainVerdict(entry: ModelFigures | undefined, symbol: SymbolSummary): string {
  if (entry === undefined) return '';
  const unavailable = unavailableLine(entry);
  if (unavailable !== null) return unavailable;
  if (isNotEvaluated(entry, symbol)) {
    const isProduct = symbol.label.includes('/');
    return isProduct ? `${notEvaluatedLine(symbol)}.` : `There was no data to evaluate it on ${symbol.label}.`;
  }
  const group = groupOf(entry.figures?.groups ?? [], symbol.assetClass);
  if (group === null) return '';
  const inside = formatPrice(group.skill.coverage.pooled80[0], 0);
  const held = `${inside} of 100 closes landed inside its 80% band.`;
  return `${compareRange(group)} ${held}${unbeatenLine(entry, group)}`;
}

/** The same in one short line, for a list: beside a random walk alone. @returns '' for a model without figures */
export function briefVerdict(entry: ModelFigures | undefined, symbol: SymbolSummary): string {
  if (entry === undefined) return '';
  if (entry.state !== 'ready') return entry.state === 'disabled' ? 'Unavailable right now' : 'Not trained yet';
  if (isNotEvaluated(entry, symbol)) return notEvaluatedLine(symbol);
  const group = groupOf(entry.figures?.groups ?? [], symbol.assetClass);
  if (group === null) return '';
  if (!hasEnoughBlocks(group)) return `Not enough data on ${symbol.label} for a verdict`;
  return `Range ${accuracy(group.skill.crpsSkillPercent['ewma-gauss'].all)} a random walk’s`;
}

function compareRange(group: GroupFigures): string {
  if (!hasEnoughBlocks(group)) return 'Not enough data for a verdict.';
  const [walk, har] = [group.skill.crpsSkillPercent['ewma-gauss'].all, hardestHar(group)];
  return `Its range is ${accuracy(walk)} a random walk’s, and ${accuracy(har)} that of HAR, a simple volatility model.`;
}

function accuracy(skill: Interval): string {
  const verdict = verdictOf(skill);
  if (verdict === 'no difference') return 'not shown to be more accurate than';
  const percent = formatPrice(Math.abs(skill[0]), 1);
  return `${percent}% ${verdict === 'better' ? 'more' : 'less'} accurate than`;
}
