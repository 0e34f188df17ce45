/**
 * Log-HAR, the baseline that matters: log variance of six stretches of minutes, linear in recent volatility (RMS over
 * 5/15/60/240/450, Parkinson over 5/15/60/240) and the time of day, refitted on a symbol's own past or on that of its
 * class. Ordinary least squares on logarithms start. Reweighted rounds then minimise QLIKE (v/m - ln v/m), because a
 * log target with its many near-zero minutes does not. This gives the baseline its best form.
 */
import { FEATURE_NAMES, type Features } from '../../../server/forecast/network/features.ts';
import {
  BIN_OF_MINUTE,
  BIN_STARTS,
  dot,
  type HarCoefficients,
  harForecast,
} from '../../../server/record/house/har-forecast.ts';
import type { WidthForecast } from '../windows/window-forecast.ts';
import type { Window } from '../windows/windows.ts';
import { type Equation, leastSquares } from './least-squares.ts';

const BIN_COUNT = BIN_STARTS.length;
/** Floor of a bin's variance over s squared, for the logarithm. */
const VARIANCE_FLOOR = 0.02;
/** A minute ten times wilder than forecast has no more effect than this in one round. */
const RATIO_LIMIT = 10;
const ROUNDS = 8;

interface HarRow {
  values: Float64Array;
  /** Mean blended variance of each bin over s squared. */
  bins: number[];
  logRv50: number;
  logRange50: number;
}

/** @param prior  windows before everything that is measured; read once, each stored as a row of numbers */
export function fitHar(prior: Iterable<Pick<Window, 'features' | 'future'>>): (features: Features) => WidthForecast {
  const coefficients = fitCoefficients(prior);
  return (features) => harForecast(coefficients, features);
}

/** The same as coefficients that can be stored. */
export function fitCoefficients(prior: Iterable<Pick<Window, 'features' | 'future'>>): HarCoefficients {
  const rows = Array.from(prior, rowOf);
  return {
    bins: Array.from({ length: BIN_COUNT }, (_, bin) => fitBin(rows, bin)),
    rv50: solve(rows, (row) => row.logRv50),
    range50: solve(rows, (row) => row.logRange50),
  };
}

function rowOf({ features, future }: Pick<Window, 'features' | 'future'>): HarRow {
  const sums = new Array<number>(BIN_COUNT).fill(0);
  const counts = new Array<number>(BIN_COUNT).fill(0);
  for (const [i, variance] of future.blended.entries()) {
    const bin = BIN_OF_MINUTE[i] ?? 0;
    sums[bin] = (sums[bin] ?? 0) + variance;
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const { scale } = features;
  return {
    values: features.values,
    bins: sums.map((sum, bin) => sum / (counts[bin] ?? 1) / scale ** 2),
    logRv50: Math.log(Math.max(future.rv50, 0.1 * scale) / scale),
    logRange50: Math.log(Math.max(future.range50, 0.1 * scale) / scale),
  };
}

function fitBin(rows: readonly HarRow[], bin: number): number[] {
  let coefficients = solve(rows, (row) => Math.log(Math.max(VARIANCE_FLOOR, row.bins[bin] ?? 0)));
  const ratioOf = (row: HarRow): number =>
    Math.min(RATIO_LIMIT, (row.bins[bin] ?? 0) / Math.exp(dot(coefficients, row.values)));
  const centre = (): void => {
    const mean = rows.reduce((sum, row) => sum + ratioOf(row), 0) / rows.length;
    coefficients = coefficients.map((value, i) => (i === 0 ? value + Math.log(mean) : value));
  };
  centre();
  for (let round = 0; round < ROUNDS; round++) {
    coefficients = solve(rows, (row) => dot(coefficients, row.values) + ratioOf(row) - 1);
  }
  centre();
  return coefficients;
}

/** On all features except the time within the hour, which plain log-HAR does not use. */
function solve(rows: readonly HarRow[], target: (row: HarRow) => number): number[] {
  const equations = function* (): Generator<Equation> {
    for (const row of rows) yield { x: row.values, y: target(row), weight: 1 };
  };
  const isFree = (column: number): boolean => !(FEATURE_NAMES[column] ?? '').startsWith('hour');
  return leastSquares(equations(), rows[0]?.values.length ?? FEATURE_NAMES.length, { isFree });
}
