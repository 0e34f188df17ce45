/** Quantiles of the close at every horizon, and the 80 and 95 % bands as prices. Calibrated tables, not extremes of paths. */
import { BANDS, type ForecastBand, QUANTILE_LEVELS } from '#domain/forecast/quantiles.ts';
import type { HarModel, TableClass } from './model-file.ts';
import { UPPER_LEVELS } from './model-file.ts';
import type { PriceGrid } from './price-grid.ts';

/** Standardised quantile of one of the 25 levels at horizon h (1 to 50): the table's, mirrored below the middle. */
export function standardQuantile(upper: readonly (readonly number[])[], h: number, level: number): number {
  const row = upper[h - 1] ?? [];
  if (level === 0.5) return 0;
  const mirrored = level > 0.5 ? level : 1 - level;
  const place = UPPER_LEVELS.findIndex((candidate) => Math.abs(candidate - mirrored) < 1e-9);
  return Math.sign(level - 0.5) * (row[place] ?? Number.NaN);
}

/** ln(C[t+h] / C[t]) at the 25 levels for h = 1..50. */
export function closeQuantiles(model: HarModel, tableClass: TableClass, sigma: Float64Array): number[][] {
  return Array.from(sigma, (width, i) =>
    QUANTILE_LEVELS.map((level) => width * standardQuantile(model.upperQuantiles[tableClass], i + 1, level)),
  );
}

/** Band edges as prices, rounded outward to the tick, so that lower95 <= lower80 <= lastClose <= upper80 <= upper95. */
export function forecastBand(
  model: HarModel,
  tableClass: TableClass,
  sigma: Float64Array,
  lastClose: number,
  grid: PriceGrid,
): ForecastBand {
  const edge = (level: number): number[] =>
    Array.from(sigma, (width, i) => {
      const quantile = standardQuantile(model.upperQuantiles[tableClass], i + 1, level);
      const price = lastClose * Math.exp(width * quantile);
      return level < 0.5 ? Math.min(lastClose, grid.down(price)) : Math.max(lastClose, grid.up(price));
    });
  return {
    lower80: edge(BANDS.p80.lower),
    upper80: edge(BANDS.p80.upper),
    lower95: edge(BANDS.p95.lower),
    upper95: edge(BANDS.p95.upper),
  };
}

/** ln(C[t+h] / C[t]) at the 25 levels for h = 1..50, from the upper half [h - 1][level of UPPER_LEVELS]. */
export function mirroredQuantiles(upper: readonly (readonly number[])[]): number[][] {
  return upper.map((_, i) => QUANTILE_LEVELS.map((level) => standardQuantile(upper, i + 1, level)));
}

/**
 * Band edges as prices, rounded outward to the tick, so that lower95 <= lower80 <= lastClose <= upper80 <= upper95.
 * @param upper  [h - 1][level of UPPER_LEVELS] quantiles of ln(C[t+h] / C[t])
 */
export function quantileBand(upper: readonly (readonly number[])[], lastClose: number, grid: PriceGrid): ForecastBand {
  const edge = (level: number): number[] =>
    upper.map((_, i) => {
      const price = lastClose * Math.exp(standardQuantile(upper, i + 1, level));
      return level < 0.5 ? Math.min(lastClose, grid.down(price)) : Math.max(lastClose, grid.up(price));
    });
  return {
    lower80: edge(BANDS.p80.lower),
    upper80: edge(BANDS.p80.upper),
    lower95: edge(BANDS.p95.lower),
    upper95: edge(BANDS.p95.upper),
  };
}
