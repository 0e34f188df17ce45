/** Tables of minutes standardised by a noisy running volatility are too wide: each wild minute feeds the next. */
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import { type StoredPathTables, UPPER_LEVELS } from '../../server/forecast/models/manifest.ts';
import { drawPaths, lengthsOf, PATH_COUNT, varianceOffGrid } from '../../server/forecast/paths/paths.ts';
import { seededRandom } from '../../server/forecast/paths/random.ts';
import { rounded } from '../measure/baselines/weighted-quantiles.ts';
import { tickSizeOf } from '../measure/tick-size.ts';
import type { ForecastWindow } from './window-outputs.ts';

const BAND_SHARE = 0.8;
const BAND_LEVEL = UPPER_LEVELS.indexOf(0.9);
/** Enough: each has 3200 closes. */
const WINDOWS = 400;
const HALVINGS = 9;
const LIMITS = { low: 0.5, high: 1.5 };

/** The same tables, with all lengths scaled so that 80% of all drawn closes are inside the 80% bands. */
export function spreadToBands(tables: StoredPathTables, forecasts: readonly ForecastWindow[]): StoredPathTables {
  const step = Math.max(1, Math.floor(forecasts.length / WINDOWS));
  const sample = forecasts.filter((_, i) => i % step === 0);
  let { low, high } = LIMITS;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (shareInside(scaled(tables, middle), sample) > BAND_SHARE) low = middle;
    else high = middle;
  }
  return scaled(tables, (low + high) / 2);
}

/** Share of the closes of all paths and horizons inside the 80% band. */
export function shareInside(tables: StoredPathTables, forecasts: readonly ForecastWindow[]): number {
  let inside = 0;
  for (const { window, volatility } of forecasts) {
    const { file, features, t0 } = window;
    const variance = varianceOffGrid(volatility.minuteVariance, tickSizeOf(window) / features.lastClose);
    const random = seededRandom('spread of paths', file.name, t0);
    const { level } = drawPaths(tables, variance, lengthsOf(tables, features), random);
    for (const [at, end] of level.entries()) {
      const edge = volatility.upperQuantiles[at % HORIZON_BARS]?.[BAND_LEVEL] ?? 0;
      if (Math.abs(end) <= edge) inside++;
    }
  }
  return inside / (forecasts.length * PATH_COUNT * HORIZON_BARS);
}

function scaled(tables: StoredPathTables, factor: number): StoredPathTables {
  const row = (values: readonly number[]): number[] => values.map((value) => rounded(factor * value));
  return {
    ...tables,
    absReturn: tables.absReturn.map(row),
    returnEdges: row(tables.returnEdges),
    previousEdges: row(tables.previousEdges),
    wicks: tables.wicks.map((rows) => rows.map(row)),
  };
}
