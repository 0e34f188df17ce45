/** The 80 and 95 % bands of the close at every horizon, as prices. Calibrated quantiles, not extremes of paths. */
import { BANDS, type ForecastBand } from '#domain/forecast/quantiles.ts';
import { UPPER_LEVELS } from '../models/model-file.ts';
import type { PriceGrid } from './price-grid.ts';

/** [h - 1][level of UPPER_LEVELS] quantiles of ln(C[t+h] / C[t]); the lower half mirrors them, the middle is 0. */
type UpperQuantiles = readonly (readonly number[])[];

/** Band edges as prices, rounded outward to the tick, so that lower95 <= lower80 <= lastClose <= upper80 <= upper95. */
export function quantileBand(upper: UpperQuantiles, lastClose: number, grid: PriceGrid): ForecastBand {
  const edge = (level: number): number[] =>
    upper.map((row) => {
      const price = lastClose * Math.exp(quantileAt(row, level));
      return level < 0.5 ? Math.min(lastClose, grid.down(price)) : Math.max(lastClose, grid.up(price));
    });
  return {
    lower80: edge(BANDS.p80.lower),
    upper80: edge(BANDS.p80.upper),
    lower95: edge(BANDS.p95.lower),
    upper95: edge(BANDS.p95.upper),
  };
}

function quantileAt(row: readonly number[], level: number): number {
  if (level === 0.5) return 0;
  const mirrored = level > 0.5 ? level : 1 - level;
  const place = UPPER_LEVELS.findIndex((candidate) => Math.abs(candidate - mirrored) < 1e-9);
  return Math.sign(level - 0.5) * (row[place] ?? Number.NaN);
}
