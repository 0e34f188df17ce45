/**
 * Coefficients of log variance, bin by bin. Ordinary least squares on logarithms, corrected for bias, starts; a few
 * reweighted rounds then minimise QLIKE (v/m - ln v/m), which a log target with its many near-zero minutes does not.
 */
import { FEATURE_NAMES, type Features, SESSION_FEATURE_NAMES } from '../../server/forecast/features.ts';
import { BIN_OF_MINUTE, dot, minuteOfHour } from '../../server/forecast/har-model.ts';
import { BIN_COUNT } from '../../server/forecast/model-file.ts';
import { type Equation, leastSquares } from '../measure/least-squares.ts';
import type { Window } from '../measure/windows.ts';

/** Floor of a bin's variance over s squared, for the logarithm. */
const VARIANCE_FLOOR = 0.02;
/** A minute ten times wilder than forecast says no more than this in one round. */
const RATIO_LIMIT = 10;
const ROUNDS = 8;
/** Offsets stand on a few weeks of a few symbols: pulled towards none. */
const SESSION_RIDGE = 0.02;

export interface FitRow {
  features: Features;
  weight: number;
  /** Mean blended variance of each bin over s squared, hour rhythm removed. */
  bins: number[];
  logRv50: number;
  logRange50: number;
}

export function fitRow(window: Window, factors: readonly number[], weight: number): FitRow {
  const { features, future } = window;
  const sums = new Array<number>(BIN_COUNT).fill(0);
  const counts = new Array<number>(BIN_COUNT).fill(0);
  for (const [i, variance] of future.blended.entries()) {
    const bin = BIN_OF_MINUTE[i] ?? 0;
    const factor = factors[minuteOfHour(window.t0, i + 1)] ?? 1;
    sums[bin] = (sums[bin] ?? 0) + variance / factor;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const square = features.scale ** 2;
  return {
    features,
    weight,
    bins: sums.map((sum, bin) => sum / (counts[bin] ?? 1) / square),
    logRv50: Math.log(Math.max(future.rv50, 0.1 * features.scale) / features.scale),
    logRange50: Math.log(Math.max(future.range50, 0.1 * features.scale) / features.scale),
  };
}

/** Eight heads (six bins, rv50, range50) on the common features. */
export function fitBase(rows: readonly FitRow[], isFree?: (column: number) => boolean): number[][] {
  const of = (row: FitRow): Float64Array => row.features.values;
  return fitHeads(rows, of, FEATURE_NAMES.length, () => 0, { isFree });
}

/** Eight heads of offsets on the session features, on top of `base`; all 0 where there are no rows. */
export function fitSessionOffsets(rows: readonly FitRow[], base: readonly number[][]): number[][] {
  if (rows.length === 0) return base.map(() => SESSION_FEATURE_NAMES.map(() => 0));
  const of = (row: FitRow): Float64Array => row.features.session;
  const offset = (row: FitRow, head: number): number => dot(base[head] ?? [], row.features.values);
  return fitHeads(rows, of, SESSION_FEATURE_NAMES.length, offset, { ridge: SESSION_RIDGE });
}

function fitHeads(
  rows: readonly FitRow[],
  of: (row: FitRow) => Float64Array,
  size: number,
  offset: (row: FitRow, head: number) => number,
  options: Parameters<typeof leastSquares>[2],
): number[][] {
  const solve = (head: number, target: (row: FitRow) => number): number[] => {
    const equations = function* (): Generator<Equation> {
      for (const row of rows) yield { x: of(row), y: target(row) - offset(row, head), weight: row.weight };
    };
    return leastSquares(equations(), size, options);
  };
  const bins = Array.from({ length: BIN_COUNT }, (_, bin) => {
    let coefficients = solve(bin, (row) => Math.log(Math.max(VARIANCE_FLOOR, row.bins[bin] ?? 0)));
    const logOf = (row: FitRow): number => dot(coefficients, of(row)) + offset(row, bin);
    coefficients[0] =
      (coefficients[0] ?? 0) + Math.log(meanRatio(rows, (row) => (row.bins[bin] ?? 0) / Math.exp(logOf(row))));
    for (let round = 0; round < ROUNDS; round++) {
      coefficients = solve(bin, (row) => {
        const log = logOf(row);
        return log + Math.min(RATIO_LIMIT, (row.bins[bin] ?? 0) / Math.exp(log)) - 1;
      });
    }
    coefficients[0] =
      (coefficients[0] ?? 0) + Math.log(meanRatio(rows, (row) => (row.bins[bin] ?? 0) / Math.exp(logOf(row))));
    return coefficients;
  });
  return [...bins, solve(BIN_COUNT, (row) => row.logRv50), solve(BIN_COUNT + 1, (row) => row.logRange50)];
}

function meanRatio(rows: readonly FitRow[], ratio: (row: FitRow) => number): number {
  let sum = 0;
  let weight = 0;
  for (const row of rows) {
    sum += row.weight * Math.min(RATIO_LIMIT, ratio(row));
    weight += row.weight;
  }
  return sum / weight;
}
