/** One window, one forecaster: CRPS by horizon, coverage of the bands, errors of volatility, range and median. */

import { SCORE_COLUMNS, SCORED_HORIZONS } from '../../../domain/forecast/model-figures.ts';
import { BANDS, QUANTILE_LEVELS } from '../../../domain/forecast/quantiles.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { crpsOf } from '../../../domain/record/scoring/crps.ts';
import { LEVEL_COUNT, type WindowForecast } from './window-forecast.ts';
import type { Future } from './windows.ts';

export interface WindowScore {
  /** Log returns by SCORE_COLUMNS; 'all' averages the 50 horizons, each divided by the root of its horizon. */
  crps: number[];
  /** Closes within the band, by SCORE_COLUMNS: of one horizon, and of all 50. */
  inside80: number[];
  inside95: number[];
  /** Upper minus lower edge of the 80% band at the last horizon. */
  width80: number;
  /** ln(forecast / actual); NaN if the market did not move at all. */
  rvError: number;
  rangeError: number;
  /** Absolute errors of the median and of the last close, averaged like 'all'. */
  medianError: number;
  lastCloseError: number;
  /** Horizons whose median predicted a direction and whose close moved, and those of them that were right. */
  calls: number;
  hits: number;
}

const LOWER_80 = QUANTILE_LEVELS.indexOf(BANDS.p80.lower);
const UPPER_80 = QUANTILE_LEVELS.indexOf(BANDS.p80.upper);
const LOWER_95 = QUANTILE_LEVELS.indexOf(BANDS.p95.lower);
const UPPER_95 = QUANTILE_LEVELS.indexOf(BANDS.p95.upper);
const MEDIAN = QUANTILE_LEVELS.indexOf(0.5);
const ALL = SCORE_COLUMNS.indexOf('all');
const COLUMN_OF_HORIZON: ReadonlyMap<number, number> = new Map(SCORED_HORIZONS.map((h, column) => [h, column]));

export function scoreForecast(future: Future, forecast: WindowForecast): WindowScore {
  const { quantiles } = forecast;
  const columns = SCORE_COLUMNS.length;
  const score: WindowScore = {
    crps: new Array<number>(columns).fill(0),
    inside80: new Array<number>(columns).fill(0),
    inside95: new Array<number>(columns).fill(0),
    width80: 0,
    rvError: logError(forecast.rv50, future.rv50),
    rangeError: logError(forecast.range50, future.range50),
    medianError: 0,
    lastCloseError: 0,
    calls: 0,
    hits: 0,
  };
  for (let h = 1; h <= HORIZON_BARS; h++) {
    const y = future.change[h - 1] ?? 0;
    const row = (h - 1) * LEVEL_COUNT;
    const at = (level: number): number => quantiles[row + level] ?? Number.NaN;
    const share = 1 / (HORIZON_BARS * Math.sqrt(h));
    const crps = crpsOf(y, quantiles, row);
    const is80 = at(LOWER_80) <= y && y <= at(UPPER_80);
    const is95 = at(LOWER_95) <= y && y <= at(UPPER_95);
    const column = COLUMN_OF_HORIZON.get(h);
    if (column !== undefined) {
      score.crps[column] = crps;
      score.inside80[column] = is80 ? 1 : 0;
      score.inside95[column] = is95 ? 1 : 0;
    }
    score.crps[ALL] = (score.crps[ALL] ?? 0) + share * crps;
    score.inside80[ALL] = (score.inside80[ALL] ?? 0) + (is80 ? 1 : 0);
    score.inside95[ALL] = (score.inside95[ALL] ?? 0) + (is95 ? 1 : 0);
    const median = at(MEDIAN);
    score.medianError += share * Math.abs(y - median);
    score.lastCloseError += share * Math.abs(y);
    if (y !== 0 && median !== 0) {
      score.calls++;
      if (Math.sign(y) === Math.sign(median)) score.hits++;
    }
    if (h === HORIZON_BARS) score.width80 = at(UPPER_80) - at(LOWER_80);
  }
  return score;
}

function logError(forecast: number, real: number): number {
  return real > 0 ? Math.log(forecast / real) : Number.NaN;
}
