/**
 * Turns a network's output into one whole forecast: volatility, bands, 64 paths, the path shown. Pure and repeatable.
 * Implausible results are rejected here, before any user sees or pays for them.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { deviationFactors } from '#domain/forecast/releases/widening.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { AssetClass } from '#domain/market/symbols.ts';
import { type StoredPathTables, UPPER_LEVELS } from '../models/manifest.ts';
import { drawPaths, lengthsOf, shownPath, varianceOffGrid } from '../paths/paths.ts';
import { pathCandles, priceGrid, quantileBand } from '../paths/price-grid.ts';
import { keyedRandom, seededRandom } from '../paths/random.ts';
import type { Features } from './features.ts';

/** A network's output for one window, relative to the lookback's scale s. */
export interface NetworkOutput {
  /** [50] ln of each minute's variance over s squared. */
  logVariance: Float32Array;
  /** [50][UPPER_LEVELS] quantiles of ln(C[t+h] / C[t]) over s, at least 0 and rising; the lower half mirrors them. */
  upperQuantiles: Float32Array;
  /** ln(RV50 / s) and ln(range50 / s). */
  logRv50: number;
  logRange50: number;
}

export interface VolatilityForecast {
  /** Variance of each minute's return, 50 entries. */
  minuteVariance: Float64Array;
  /** [h - 1][level of UPPER_LEVELS] quantiles of ln(C[t+h] / C[t]). */
  upperQuantiles: number[][];
  /** Realised volatility of the 50 minutes, square root of the sum of squared returns. */
  rv50: number;
  /** ln(highest high / lowest low) of the 50 minutes. */
  range50: number;
}

export interface NetworkSubject {
  sym: string;
  assetClass: AssetClass;
  tickSize: number;
  /** [50] of domain/forecast/releases/widening.ts: what scheduled releases do to each bar's variance. Absent: nothing. */
  varianceFactors?: readonly number[] | undefined;
  /** 32 bytes in hex: the secret of the day's drawn paths. Absent: anyone with the weights draws the same path. */
  pathKey?: string | undefined;
}

export interface ComputedForecast {
  t0: number;
  lastClose: number;
  path: Candle[];
  band: ForecastBand;
  volatility: VolatilityForecast;
}

/** A variance e^8 away from the recent one (a 55-fold volatility) is not a market. */
const LOG_LIMIT = 8;
/** A volatility of the 50 minutes above this (100%) is too implausible to forecast. */
const MAX_SIGMA = 1;
/** The same for a quantile: a 20-fold price. */
const MAX_LOG_MOVE = 3;
/** A hundredth of a minute's volatility: too small to see. */
const MAX_CROSSING = 0.01;
/** The path shown, with wicks, stays within this many 99.5% quantiles of minute 50: it is the most typical of 64. */
const PATH_REACH = 6;

/** @throws AppError `forecast/failed` with `details.reason` for values not finite, not rising or implausible */
export function volatilityOf(output: NetworkOutput, features: Pick<Features, 'scale'>): VolatilityForecast {
  const { scale } = features;
  const { logVariance, upperQuantiles, logRv50, logRange50 } = output;
  requirePlausible(logVariance.length === HORIZON_BARS && logVariance.every(isLimited), 'log variance');
  requirePlausible(isLimited(logRv50) && isLimited(logRange50), 'realised volatility or range');
  requirePlausible(upperQuantiles.length === HORIZON_BARS * UPPER_LEVELS.length, 'number of quantiles');
  const rows = Array.from({ length: HORIZON_BARS }, (_, i) => {
    const row = upperQuantiles.subarray(i * UPPER_LEVELS.length, (i + 1) * UPPER_LEVELS.length);
    return risingQuantiles(row).map((quantile) => quantile * scale);
  });
  requirePlausible(Math.max(...rows.map((row) => row.at(-1) ?? 0)) <= MAX_LOG_MOVE, 'quantile');
  const minuteVariance = Float64Array.from(logVariance, (value) => scale ** 2 * Math.exp(value));
  const sigma50 = Math.sqrt(minuteVariance.reduce((sum, variance) => sum + variance, 0));
  requirePlausible(sigma50 <= MAX_SIGMA, 'volatility');
  return {
    minuteVariance,
    upperQuantiles: rows,
    rv50: scale * Math.exp(logRv50),
    range50: scale * Math.exp(logRange50),
  };
}

/** The same forecast with scheduled releases: every width grows with the variance of the bars up to it. */
export function widenedVolatility(
  volatility: VolatilityForecast,
  varianceFactors: readonly number[] | undefined,
): VolatilityForecast {
  if (varianceFactors === undefined) return volatility;
  const { minuteVariance, upperQuantiles, rv50, range50 } = volatility;
  const factors = deviationFactors(minuteVariance, varianceFactors);
  const last = factors.at(-1) ?? 1;
  return {
    minuteVariance: minuteVariance.map((variance, bar) => variance * (varianceFactors[bar] ?? 1)),
    upperQuantiles: upperQuantiles.map((row, bar) => row.map((quantile) => quantile * (factors[bar] ?? 1))),
    rv50: rv50 * last,
    range50: range50 * last,
  };
}

/**
 * @returns the same for the same subject, model version, features and volatility (last digits may differ between
 * machines). @throws AppError `forecast/failed` with `details.reason`
 */
export function computeForecast(
  tables: StoredPathTables,
  modelVersion: string,
  subject: NetworkSubject,
  features: Features,
  volatility: VolatilityForecast,
): ComputedForecast {
  const { t0, lastClose, barS } = features;
  if (lastClose < subject.tickSize) {
    throw new AppError('forecast/failed', { details: { reason: 'the last close is below one tick' } });
  }
  const grid = priceGrid(subject.tickSize);
  const seed = [subject.sym, modelVersion, t0];
  const random = subject.pathKey === undefined ? seededRandom(...seed) : keyedRandom(subject.pathKey, ...seed);
  const variance = varianceOffGrid(volatility.minuteVariance, subject.tickSize / lastClose);
  const paths = drawPaths(tables, variance, lengthsOf(tables, features), random);
  const path = pathCandles(shownPath(paths, tables.lengths), { t0, barS, lastClose }, grid);
  const reach = PATH_REACH * (volatility.upperQuantiles.at(-1)?.at(-1) ?? 0);
  const lowest = grid.down(lastClose * Math.exp(-reach));
  const highest = grid.up(lastClose * Math.exp(reach));
  requirePlausible(
    path.every(({ low, high }) => lowest <= low && high <= highest),
    'path',
  );
  return { t0, lastClose, path, band: quantileBand(volatility.upperQuantiles, lastClose, grid), volatility };
}

function requirePlausible(isPlausible: boolean, what: string): void {
  if (!isPlausible) throw new AppError('forecast/failed', { details: { reason: `${what} is not plausible` } });
}

// Written so that NaN fails, as every comparison with it is false.
function isLimited(logValue: number): boolean {
  return Math.abs(logValue) <= LOG_LIMIT;
}

/** In units of s. Neighbours that cross slightly, as interpolated tables do near 0, become equal. */
function risingQuantiles(row: Float32Array): number[] {
  let previous = 0;
  return Array.from(row, (quantile) => {
    requirePlausible(quantile >= previous - MAX_CROSSING && Number.isFinite(quantile), 'order of quantiles');
    previous = Math.max(previous, quantile);
    return previous;
  });
}
