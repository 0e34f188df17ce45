/**
 * Draws many possible next 50 minutes and picks the one shown: of the quarter with the most typical roughness, the one
 * nearest to all others. A mean of paths would be smoother than any market.
 */
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { StoredPathTables } from '../models/manifest.ts';
import { type Features, featureAt } from '../network/features.ts';
import { blendedVariance } from '../network/minute-series.ts';
import type { Random } from './random.ts';

export const PATH_COUNT = 64;
/** Number of paths that may be shown: those whose mean absolute return is nearest the median of all. */
const TYPICAL_COUNT = PATH_COUNT / 4;
const CLUSTER_LIMITS = { low: 0.05, high: 20 };
/** Limit of a path's log distance from the last close: far beyond the reach of any plausible sigma. */
const LOG_LEVEL_LIMIT = 3;
/** Assumed return of the minute before the first: an ordinary one. */
const ORDINARY_ABS_RETURN = 0.7;
/** Rounding two closes to the grid adds this share of a squared tick to the variance between them. */
export const GRID_NOISE = 1 / 6;
/** Where the tick is coarser than the market's moves, this share of the variance remains for drawing. */
const MIN_OFF_GRID_SHARE = 0.3;

/** 64 paths of 50 minutes, path by path: entry `path * 50 + minute`. */
export interface Paths {
  /** ln(close / last close). */
  level: Float64Array;
  /** ln(high / max(open, close)) and ln(min(open, close) / low), both at least 0. */
  upperWick: Float64Array;
  lowerWick: Float64Array;
}

export type DrawnPath = Paths;

/**
 * Variance that paths are drawn with. The forecast variance comes from candles on the price grid, and drawn paths are
 * rounded to the grid again, so the variance that rounding adds is subtracted first.
 * @param tick one step of the grid over the last close
 */
export function varianceOffGrid(minuteVariance: Float64Array, tick: number): Float64Array {
  return minuteVariance.map((v) => Math.max(MIN_OFF_GRID_SHARE * v, v - GRID_NOISE * tick * tick));
}

/** @param minuteVariance  variance of each of the 50 minutes: the paths' average, around which they cluster */
export function drawPaths(
  tables: StoredPathTables,
  minuteVariance: Float64Array,
  lengths: Lengths,
  random: Random,
): Paths {
  const size = PATH_COUNT * HORIZON_BARS;
  const paths = {
    level: new Float64Array(size),
    upperWick: new Float64Array(size),
    lowerWick: new Float64Array(size),
  };
  for (let path = 0; path < PATH_COUNT; path++) drawPath(paths, path, tables, minuteVariance, lengths, random);
  return paths;
}

function drawPath(
  paths: Paths,
  path: number,
  tables: StoredPathTables,
  minuteVariance: Float64Array,
  lengths: Lengths,
  random: Random,
): void {
  let cluster = 1;
  let level = 0;
  let previousAbsReturn = ORDINARY_ABS_RETURN;
  for (let minute = 0; minute < HORIZON_BARS; minute++) {
    const mean = minuteVariance[minute] ?? 0;
    const volatility = Math.sqrt(mean * cluster);
    const draw = drawMinute(tables, previousAbsReturn, random);
    const isUp = random() < 0.5;
    const logReturn = (isUp ? 1 : -1) * draw.absReturn * lengths.returns * volatility;
    const wickUnit = lengths.wicks * volatility;
    const wicks = (draw.ahead + draw.behind) * wickUnit;
    level = Math.max(-LOG_LEVEL_LIMIT, Math.min(LOG_LEVEL_LIMIT, level + logReturn));
    const at = path * HORIZON_BARS + minute;
    paths.level[at] = level;
    paths.upperWick[at] = (isUp ? draw.ahead : draw.behind) * wickUnit;
    paths.lowerWick[at] = (isUp ? draw.behind : draw.ahead) * wickUnit;
    const ratio = blendedVariance(logReturn, Math.abs(logReturn) + wicks) / mean;
    cluster = nextCluster(tables, cluster, ratio);
    previousAbsReturn = draw.absReturn;
  }
}

/** Variance relative to its forecast, one minute later: driven by the last minute, decaying to 1. */
export function nextCluster(tables: Pick<StoredPathTables, 'alpha' | 'beta'>, cluster: number, ratio: number): number {
  const next = 1 - tables.alpha - tables.beta + tables.alpha * ratio + tables.beta * cluster;
  return Math.max(CLUSTER_LIMITS.low, Math.min(CLUSTER_LIMITS.high, next));
}

/** Scaled to ordinary bodies and wicks, because a typical path is calmer than most. The 64 paths stay as drawn. */
export function shownPath(paths: Paths, lengths: Lengths): DrawnPath {
  const first = typicalPath(paths) * HORIZON_BARS;
  const part = (of: Float64Array): Float64Array => of.slice(first, first + HORIZON_BARS);
  return {
    level: part(paths.level).map((level) => level * lengths.returns),
    upperWick: part(paths.upperWick).map((wick) => wick * lengths.wicks),
    lowerWick: part(paths.lowerWick).map((wick) => wick * lengths.wicks),
  };
}

/** Index of the medoid among the paths of typical roughness. */
function typicalPath(paths: Paths): number {
  const roughness = Array.from({ length: PATH_COUNT }, (_, path) => meanAbsReturn(paths, path));
  const median = medianOf(roughness);
  const typical = roughness
    .map((value, path) => ({ path, distance: Math.abs(value - median) }))
    .sort((a, b) => a.distance - b.distance || a.path - b.path)
    .slice(0, TYPICAL_COUNT);
  const mean = meanLevel(paths);
  let best = { path: 0, distance: Number.POSITIVE_INFINITY };
  for (const { path } of typical) {
    // Mean squared distance to all paths is that to their mean plus a constant.
    const distance = squaredDistance(paths, path, mean);
    if (distance < best.distance) best = { path, distance };
  }
  return best.path;
}

function meanAbsReturn(paths: Paths, path: number): number {
  let sum = 0;
  let previous = 0;
  for (let minute = 0; minute < HORIZON_BARS; minute++) {
    const level = paths.level[path * HORIZON_BARS + minute] ?? 0;
    sum += Math.abs(level - previous);
    previous = level;
  }
  return sum / HORIZON_BARS;
}

function meanLevel(paths: Paths): Float64Array {
  const mean = new Float64Array(HORIZON_BARS);
  for (let i = 0; i < paths.level.length; i++) {
    const minute = i % HORIZON_BARS;
    mean[minute] = (mean[minute] ?? 0) + (paths.level[i] ?? 0) / PATH_COUNT;
  }
  return mean;
}

function squaredDistance(paths: Paths, path: number, mean: Float64Array): number {
  let sum = 0;
  for (let minute = 0; minute < HORIZON_BARS; minute++) {
    sum += ((paths.level[path * HORIZON_BARS + minute] ?? 0) - (mean[minute] ?? 0)) ** 2;
  }
  return sum;
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? 0) + (sorted[Math.ceil(middle - 0.5)] ?? 0)) / 2;
}

export interface MinuteDraw {
  /** Absolute return over its volatility. */
  absReturn: number;
  /** Wick in the direction of the move, over volatility. */
  ahead: number;
  /** Wick on the other side. */
  behind: number;
}

/** @param previousAbsReturn  the minute before, over its volatility: a large move leaves longer wicks in the next */
function drawMinute(tables: StoredPathTables, previousAbsReturn: number, random: Random): MinuteDraw {
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

export function lengthsOf(tables: Pick<StoredPathTables, 'wickiness'>, features: Features): Lengths {
  const { centre, returnSlope, wickSlope } = tables.wickiness;
  const away = wickinessOf(features) - centre;
  const limited = (length: number): number => Math.max(LENGTH_LIMITS.low, Math.min(LENGTH_LIMITS.high, length));
  return { returns: limited(1 + returnSlope * away), wicks: limited(1 + wickSlope * away) };
}

/** Range over return volatility of the last four hours, as a logarithm. */
export function wickinessOf(features: Features): number {
  return featureAt(features, 'ln_parkinson_240') - featureAt(features, 'ln_rms_return_240');
}

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
