/** One whole forecast from closed candles: features, volatility, bands, 64 paths, the one that is shown. Pure and repeatable. */
import { AppError } from '#domain/errors/app-error.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { AssetClass } from '#domain/market/symbols.ts';
import { buildFeatures } from './features.ts';
import { forecastVolatility, tableClassOf, type VolatilityForecast } from './har-model.ts';
import type { HarModel } from './model-file.ts';
import { pathCandles } from './path-candles.ts';
import { lengthsOf } from './path-tables.ts';
import { drawPaths, shownPath } from './paths.ts';
import { priceGrid } from './price-grid.ts';
import { forecastBand } from './quantile-bands.ts';
import { seededRandom } from './random.ts';

/** What the forecast needs to know of a symbol. */
export interface ForecastSubject {
  sym: string;
  assetClass: AssetClass;
  tickSize: number;
}

export interface ComputedForecast {
  t0: number;
  lastClose: number;
  path: Candle[];
  band: ForecastBand;
  volatility: VolatilityForecast;
}

/**
 * @param candles  closed candles, oldest first; the last 450 are read, at least 120 are needed
 * @returns the same for the same symbol, model version and candles, on every machine
 * @throws AppError `market/too-few-candles`; `forecast/failed` with `details.reason`
 */
export function computeForecast(
  model: HarModel,
  modelVersion: string,
  subject: ForecastSubject,
  candles: readonly Candle[],
): ComputedForecast {
  const features = buildFeatures(candles, subject.assetClass);
  const { t0, lastClose } = features;
  if (lastClose < subject.tickSize) {
    throw new AppError('forecast/failed', { details: { reason: 'the last close is below one tick' } });
  }
  const volatility = forecastVolatility(model, features);
  const grid = priceGrid(subject.tickSize);
  const random = seededRandom(subject.sym, modelVersion, t0);
  const paths = drawPaths(model.paths, volatility.minuteVariance, lengthsOf(model.paths, features), random);
  return {
    t0,
    lastClose,
    path: pathCandles(shownPath(paths, model.paths.lengths), t0, lastClose, grid),
    band: forecastBand(model, tableClassOf(subject.assetClass), volatility.sigma, lastClose, grid),
    volatility,
  };
}
