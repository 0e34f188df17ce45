/** Draws one minute from fitted tables: how far it moves, how long its wicks are, and how they split. */

import type { PathTables } from '../models/model-file.ts';
import { type Features, featureAt } from '../network/features.ts';
import type { Random } from './random.ts';

export interface MinuteDraw {
  /** Absolute return over its volatility. */
  absReturn: number;
  /** Wick in the direction of the move, over volatility. */
  ahead: number;
  /** Wick on the other side. */
  behind: number;
}

/** @param previousAbsReturn  the minute before, over its volatility: a large move leaves longer wicks in the next */
export function drawMinute(tables: PathTables, previousAbsReturn: number, random: Random): MinuteDraw {
  const previousBin = binOf(previousAbsReturn, tables.previousEdges);
  const absReturn = inverse(tables.probabilities, tables.absReturn[previousBin] ?? [], random());
  const returnBin = binOf(absReturn, tables.returnEdges);
  const wicks = inverse(tables.probabilities, tables.wicks[returnBin]?.[previousBin] ?? [], random());
  const share = inverse(tables.probabilities, tables.aheadShare[returnBin] ?? [], random());
  return { absReturn, ahead: wicks * share, behind: wicks * (1 - share) };
}

/** Lengths of this symbol's bodies and wicks relative to those the tables were fitted on. */
export interface Lengths {
  returns: number;
  wicks: number;
}

const LENGTH_LIMITS = { low: 0.5, high: 2 };

export function lengthsOf(tables: Pick<PathTables, 'wickiness'>, features: Features): Lengths {
  const { centre, returnSlope, wickSlope } = tables.wickiness;
  const away = wickinessOf(features) - centre;
  const limited = (length: number): number => Math.max(LENGTH_LIMITS.low, Math.min(LENGTH_LIMITS.high, length));
  return { returns: limited(1 + returnSlope * away), wicks: limited(1 + wickSlope * away) };
}

/** Range over return volatility of the last four hours, as a logarithm. */
export function wickinessOf(features: Features): number {
  return featureAt(features, 'ln_parkinson_240') - featureAt(features, 'ln_rms_return_240');
}

/** Number of edges at or below the value. */
export function binOf(value: number, edges: readonly number[]): number {
  let bin = 0;
  while (bin < edges.length && value >= (edges[bin] ?? 0)) bin++;
  return bin;
}

/** Value of the inverse distribution function at `p`, linear between its knots. */
export function inverse(probabilities: readonly number[], values: readonly number[], p: number): number {
  let low = 0;
  let high = probabilities.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((probabilities[middle] ?? 0) <= p) low = middle;
    else high = middle;
  }
  const from = probabilities[low] ?? 0;
  const width = (probabilities[high] ?? 1) - from;
  const start = values[low] ?? 0;
  const end = values[high] ?? 0;
  return width <= 0 ? start : start + ((end - start) * (p - from)) / width;
}
