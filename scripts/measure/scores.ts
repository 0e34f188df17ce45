/** One window, one forecaster: CRPS by horizon, coverage of the bands, errors of volatility and range. Facts, section 6. */
import { QUANTILE_LEVELS } from '#domain/forecast/quantiles.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { UPPER_LEVELS } from '../../server/forecast/model-file.ts';
import type { WindowForecast } from '../fit/forecasters.ts';
import type { Window } from './windows.ts';

/** Horizons told one by one; the last column is all of them, each CRPS over the root of its horizon. */
export const SCORED_HORIZONS = [1, 5, 10, 25, 50] as const;
export const SCORE_COLUMNS = [...SCORED_HORIZONS.map((h) => `h${h}`), 'all'] as const;

export interface WindowScore {
  /** In units of log return, by SCORE_COLUMNS. */
  crps: number[];
  /** Horizons (of 50) whose close fell within the band. */
  inside80: number;
  inside95: number;
  /** ln(forecast / real); NaN where the market did not move at all. */
  rvError: number;
  rangeError: number;
}

const PLACE_90 = UPPER_LEVELS.indexOf(0.9);
const PLACE_975 = UPPER_LEVELS.indexOf(0.975);

export function scoreWindow(window: Window, forecast: WindowForecast): WindowScore {
  const byHorizon = new Array<number>(SCORED_HORIZONS.length).fill(0);
  let all = 0;
  let inside80 = 0;
  let inside95 = 0;
  for (let h = 1; h <= HORIZON_BARS; h++) {
    const y = window.future.change[h - 1] ?? 0;
    const sigma = forecast.sigma[h - 1] ?? 0;
    const upper = forecast.upper[h - 1] ?? [];
    const crps = symmetricCrps(y, sigma, upper);
    all += crps / Math.sqrt(h) / HORIZON_BARS;
    const column = (SCORED_HORIZONS as readonly number[]).indexOf(h);
    if (column >= 0) byHorizon[column] = crps;
    if (Math.abs(y) <= sigma * (upper[PLACE_90] ?? 0)) inside80++;
    if (Math.abs(y) <= sigma * (upper[PLACE_975] ?? 0)) inside95++;
  }
  return {
    crps: [...byHorizon, all],
    inside80,
    inside95,
    rvError: logError(forecast.rv50, window.future.rv50),
    rangeError: logError(forecast.range50, window.future.range50),
  };
}

/** Twice the mean pinball loss over the 25 levels, of quantiles mirrored around 0. */
function symmetricCrps(y: number, sigma: number, upper: readonly number[]): number {
  let sum = pinball(y, 0, 0.5);
  for (const [i, level] of UPPER_LEVELS.entries()) {
    const quantile = sigma * (upper[i] ?? 0);
    sum += pinball(y, quantile, level) + pinball(y, -quantile, 1 - level);
  }
  return (2 * sum) / QUANTILE_LEVELS.length;
}

function pinball(y: number, quantile: number, level: number): number {
  const error = y - quantile;
  return Math.max(level * error, (level - 1) * error);
}

function logError(forecast: number, real: number): number {
  return real > 0 ? Math.log(forecast / real) : Number.NaN;
}
