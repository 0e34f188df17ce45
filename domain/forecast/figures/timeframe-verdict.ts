/**
 * How the models compare at 5 and 15 minutes. On unseen months none was shown to be better than another there
 * (docs/decisions/066-timeframes.md), so every place that names them for these timeframes says so.
 */
import { timeframeName } from '../../market/timeframe-text.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '../../market/timeframes.ts';
import type { SymbolSummary } from './evaluation.ts';

/** One line for a list of models. @param atOneMinute  what the list says at one minute */
export function briefTimeframeVerdict(timeframe: Timeframe, atOneMinute: string): string {
  if (timeframe === DEFAULT_TIMEFRAME) return atOneMinute;
  return `At ${timeframeName(timeframe)}, as accurate as the other two`;
}

/** @param atOneMinute  the model's verdict at one minute */
export function timeframeVerdict(timeframe: Timeframe, symbol: SymbolSummary, atOneMinute: string): string {
  if (timeframe === DEFAULT_TIMEFRAME) return atOneMinute;
  const equal = `At ${timeframeName(timeframe)}, the three models are equal in measured accuracy.`;
  if (symbol.assetClass === 'crypto') return equal;
  return `${equal} Not enough data on ${symbol.label} for a verdict.`;
}
