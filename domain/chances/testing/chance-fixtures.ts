/** A generated forecast: a normal walk whose volatility may rise or fall, and generated path tables. */
import { QUANTILE_LEVELS } from '../../forecast/quantiles.ts';
import { HORIZON_BARS } from '../../forecast/window.ts';
import { type ChanceForecast, type ChanceInput, chanceForecast } from '../chance-forecast.ts';
import { compiledTables, type PathTables } from '../compiled-tables.ts';
import { normalQuantile } from '../normal.ts';
import type { Moment } from '../question.ts';
import { isRefusal } from '../refusals.ts';

/** Sizes of a normal draw's half, and wicks of about a quarter of it. */
export const FIXTURE_TABLES: PathTables = (() => {
  const probabilities = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975, 0.995, 1];
  const sizes = probabilities.map((p) => (p === 1 ? 4 : normalQuantile((1 + p) / 2)));
  const wicks = sizes.map((size) => size / 4);
  return {
    alpha: 0.2,
    beta: 0.6,
    probabilities,
    returnEdges: [0.5, 1.5],
    previousEdges: [1],
    absReturn: [sizes, sizes.map((size) => size * 1.1)],
    wicks: [wicks, wicks, wicks].map((row) => [row, row]),
    aheadShare: [probabilities, probabilities, probabilities],
  };
})();

export const FIXTURE_CLOSE = 64_000;
/** A whole hour. */
export const FIXTURE_T0 = 1_800_000_000 - 60;

export function fixtureInput(own: Partial<ChanceInput> & { volatility?: number; trend?: number } = {}): ChanceInput {
  const { volatility = 6e-4, trend = 1, ...rest } = own;
  const variance = Float64Array.from({ length: HORIZON_BARS }, (_, i) => (volatility * trend ** i) ** 2);
  let sum = 0;
  const quantiles = Array.from(variance, (of) => {
    sum += of;
    return QUANTILE_LEVELS.map((level) => (level === 0.5 ? 0 : Math.sqrt(sum) * normalQuantile(level)));
  });
  return {
    key: 'BTCUSDT.P lion-fixture 60 0',
    t0: FIXTURE_T0,
    barS: 60,
    lastClose: FIXTURE_CLOSE,
    ewma: volatility,
    variance,
    quantiles,
    paths: { tables: compiledTables(FIXTURE_TABLES), lengths: { returns: 1, wicks: 1 } },
    ...rest,
  };
}

export function fixtureForecast(own: Parameters<typeof fixtureInput>[0] = {}): ChanceForecast {
  const forecast = chanceForecast(fixtureInput(own));
  if (isRefusal(forecast)) throw new Error(forecast.message);
  return forecast;
}

/** @param afterS  seconds since the last candle closed */
export function fixtureMoment(afterS = 0, price = FIXTURE_CLOSE): Moment {
  const nowMs = (FIXTURE_T0 + 60 + afterS) * 1000;
  return { nowMs, price, priceAtMs: nowMs };
}
