/** What it costs to forecast a coin that a model was not trained on, in plain language. */
import type { Interval, ModelFigures, UnseenCoins } from '../model-figures.ts';
import { isNotEvaluated, type SymbolSummary } from './evaluation.ts';
import { coverageText, describeMeasured, skillPercent, skillRange, skillText, verdictOf } from './figure-messages.ts';

/** By how much the error is higher than that of the model that was trained with the coin, per cent. */
export function unseenCost({ overTrainedPercent }: UnseenCoins): Interval {
  return negated(overTrainedPercent.all);
}

function negated([estimate, low, high]: Interval): Interval {
  return [-estimate, -high, -low];
}

/** What was measured of a model on this symbol or, for a coin that it never saw, on coins left out of its training. */
export function describeEvidence(entry: ModelFigures | undefined, symbol: SymbolSummary): string {
  const measured = describeMeasured(entry, symbol);
  if (!entry?.figures?.unseen || !symbol.label.includes('/') || !isNotEvaluated(entry, symbol)) return measured;
  return `${measured} ${describeUnseen(entry.figures.unseen)}`;
}

/** Two sentences: the cost, and how often the band held. */
export function describeUnseen(unseen: UnseenCoins): string {
  const { coins, coverage } = unseen;
  return `With each of ${coins.length} coins left out of its training in turn, ${describeCost(unseenCost(unseen))} ${coverageText(coverage.pooled80, 80)} of 100 closes fell inside the 80% band.`;
}

function describeCost(cost: Interval): string {
  const verdict = verdictOf(cost);
  if (verdict === 'no difference') return `its error on that coin was not shown to be higher: ${skillText(cost)}.`;
  const size = verdict === 'better' ? cost : negated(cost);
  const percent = skillPercent(size).replace('+', '');
  return `its error on that coin was ${percent} ${verdict === 'better' ? 'higher' : 'lower'} ${skillRange(size)}.`;
}

/** '75.8 (ADA) to 80.0 (BTC)': how often the 80% band held on single coins. */
export function unseenByCoin({ byCoin }: UnseenCoins): string {
  const coins = Object.entries(byCoin).toSorted(([, a], [, b]) => a.within80 - b.within80);
  const [lowest, highest] = [coins[0], coins.at(-1)];
  if (lowest === undefined || highest === undefined) return '';
  const text = ([coin, { within80 }]: typeof lowest) => `${within80.toFixed(1)} (${coin})`;
  return `${text(lowest)} to ${text(highest)}`;
}
