/** A forecaster's result for one window, as scores read it: quantiles of the close at 25 levels and 50 horizons. */
import { BANDS, QUANTILE_LEVELS } from '../../../domain/forecast/quantiles.ts';
import { deviationFactors } from '../../../domain/forecast/releases/widening.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { UPPER_LEVELS } from '../../../server/forecast/models/manifest.ts';

export const LEVEL_COUNT = QUANTILE_LEVELS.length;
const MIDDLE = QUANTILE_LEVELS.indexOf(0.5);

export interface WindowForecast {
  /** [(h - 1) * 25 + level], of ln(C[t+h] / C[t]), rising within a horizon. */
  quantiles: Float64Array;
  /** Realised volatility (square root of the sum of squared returns) and ln(highest high / lowest low) of the 50 minutes. */
  rv50: number;
  range50: number;
}

/** A forecast by its width alone: multiplied by a table of standard quantiles it is complete. */
export interface WidthForecast {
  /** Volatility of ln(C[t+h] / C[t]), h = 1..50. */
  sigma: Float64Array;
  rv50: number;
  range50: number;
}

/** @param quantileOf  quantile of |ln(C[t+h] / C[t])| for h = 1..50 and an index of UPPER_LEVELS; mirrored around 0 */
export function symmetricQuantiles(quantileOf: (h: number, level: number) => number): Float64Array {
  const quantiles = new Float64Array(HORIZON_BARS * LEVEL_COUNT);
  for (let h = 1; h <= HORIZON_BARS; h++) {
    const middle = (h - 1) * LEVEL_COUNT + MIDDLE;
    for (let level = 0; level < UPPER_LEVELS.length; level++) {
      const quantile = quantileOf(h, level);
      quantiles[middle + 1 + level] = quantile;
      quantiles[middle - 1 - level] = -quantile;
    }
  }
  return quantiles;
}

/** A baseline with the calendar: its widths grow as a network's do. The share of each bar comes from its own widths. */
export function widenedForecast(forecast: WindowForecast, varianceFactors: readonly number[] | null): WindowForecast {
  if (varianceFactors === null) return forecast;
  const squares = Array.from({ length: HORIZON_BARS }, (_, bar) => (widthAt(forecast, bar) ?? 0) ** 2);
  const variance = squares.map((square, bar) => Math.max(0, square - (squares[bar - 1] ?? 0)));
  const factors = deviationFactors(variance, varianceFactors);
  const last = factors.at(-1) ?? 1;
  return {
    quantiles: forecast.quantiles.map((quantile, i) => quantile * (factors[Math.floor(i / LEVEL_COUNT)] ?? 1)),
    rv50: forecast.rv50 * last,
    range50: forecast.range50 * last,
  };
}

/** Half the width of the 80% band. */
function widthAt({ quantiles }: WindowForecast, bar: number): number | undefined {
  return quantiles[bar * LEVEL_COUNT + QUANTILE_LEVELS.indexOf(BANDS.p80.upper)];
}
