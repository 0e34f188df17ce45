/** The baselines: walks of constant or recent volatility, and log-HAR. All have their median at the last close. */
import {
  BASELINE_NAMES,
  type BaselineName,
  HARDER_BASELINE_NAMES,
  type HarderBaselineName,
} from '../../../domain/forecast/model-figures.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { scaleFloorOf } from '../../../server/forecast/network/features.ts';
import { ewma, type MinuteSeries, minuteSeries } from '../../../server/forecast/network/minute-series.ts';
import { empiricalTable, normalTable, standardised, type UpperTable } from '../quantile-tables.ts';
import { symmetricQuantiles, type WidthForecast, type WindowForecast } from '../windows/window-forecast.ts';
import { lookbackOf, type Window } from '../windows/windows.ts';
import { fitHar } from './har-baseline.ts';
import type { Forecaster, PooledForecasters } from './pooled-har.ts';

export interface Baseline {
  name: BaselineName | HarderBaselineName;
  of(window: Window): WindowForecast;
}

/** Volatility of the return of one bar over the given windows. */
export function constantVolatility(prior: readonly Window[]): number {
  let squares = 0;
  for (const w of prior) squares += w.future.rv50 ** 2;
  return Math.sqrt(squares / (prior.length * HORIZON_BARS));
}

/**
 * @param prior  windows of the same symbol before the measured span: the baselines see nothing later
 * @param pooled  log-HAR of the whole asset class; null if the class has no earlier windows, and then the symbol's own
 *   log-HAR is used instead
 * @returns in the order of BASELINE_NAMES, then of HARDER_BASELINE_NAMES
 */
export function fitBaselines(prior: readonly Window[], pooled: PooledForecasters | null): Baseline[] {
  const normal = normalTable();
  const constant = randomWalk(constantVolatility(prior));
  const har = fitHar(prior);
  const harWidth = (w: Window): WidthForecast => har(w.features);
  const blendedEwma = (w: Window): WidthForecast => randomWalk(w.features.scale);
  // RiskMetrics' classic EWMA uses returns only, without ranges.
  const returnsEwma = memoised((w) => randomWalk(scaleOf(w, ({ returns }) => returns.map((r) => r * r))));
  const empirical = (of: (w: Window) => WidthForecast): UpperTable =>
    empiricalTable(prior.map((w) => standardised(w.future.change, of(w).sigma)));
  const ownHar = { table: empirical(harWidth), of: harWidth };
  const ewmaWithHalfLife = (halfLifeBars: number) => (w: Window) =>
    randomWalk(scaleOf(w, (series) => series.blended, halfLifeBars));
  const forecasters: Record<BaselineName | HarderBaselineName, Forecaster> = {
    constant: { table: normal, of: () => constant },
    'ewma-gauss': { table: normal, of: blendedEwma },
    'ewma-empirical': { table: empirical(blendedEwma), of: blendedEwma },
    'ewma-returns-gauss': { table: normal, of: returnsEwma },
    'ewma-returns-empirical': { table: empirical(returnsEwma), of: returnsEwma },
    'har-empirical': ownHar,
    'har-pooled': pooled?.har ?? ownHar,
    'ewma-8-gauss': { table: normal, of: ewmaWithHalfLife(8) },
    'ewma-20-gauss': { table: normal, of: ewmaWithHalfLife(20) },
    'har-week': pooled?.harWeek ?? ownHar,
  };
  return [...BASELINE_NAMES, ...HARDER_BASELINE_NAMES].map((name) => {
    const { table, of } = forecasters[name];
    return {
      name,
      of: (window) => {
        const { sigma, rv50, range50 } = of(window);
        const quantiles = symmetricQuantiles((h, level) => (sigma[h - 1] ?? 0) * (table[h - 1]?.[level] ?? 0));
        return { quantiles, rv50, range50 };
      },
    };
  });
}

/** A walk with one volatility per bar. Its range is right up to a constant factor, which the measurement removes. */
function randomWalk(volatility: number): WidthForecast {
  const sigma = Float64Array.from({ length: HORIZON_BARS }, (_, i) => volatility * Math.sqrt(i + 1));
  const rv50 = volatility * Math.sqrt(HORIZON_BARS);
  return { sigma, rv50, range50: rv50 };
}

/** Volatility of a bar from the weighted mean of its lookback's variances; half-life 60 bars by default. */
function scaleOf(w: Window, variances: (series: MinuteSeries) => Float64Array, halfLifeBars?: number): number {
  const series = minuteSeries(lookbackOf(w.file, w.index), w.features.barS);
  return Math.max(scaleFloorOf(w.file.timeframe), Math.sqrt(ewma(variances(series), halfLifeBars)));
}

/** Cached by window, because two forecasters share it. */
function memoised(of: (w: Window) => WidthForecast): (w: Window) => WidthForecast {
  const known = new WeakMap<Window, WidthForecast>();
  return (w) => {
    const before = known.get(w);
    if (before !== undefined) return before;
    const forecast = of(w);
    known.set(w, forecast);
    return forecast;
  };
}
