/** The baselines: walks of constant or recent volatility, and log-HAR. All have their median at the last close. */
import { BASELINE_NAMES, type BaselineName } from '#domain/forecast/model-figures.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { SCALE_FLOOR } from '../../../server/forecast/network/features.ts';
import { ewma, minuteSeries } from '../../../server/forecast/network/minute-series.ts';
import { empiricalTable, normalTable, standardised, type UpperTable } from '../quantile-tables.ts';
import { symmetricQuantiles, type WidthForecast, type WindowForecast } from '../windows/window-forecast.ts';
import { lookbackOf, type Window } from '../windows/windows.ts';
import { fitHar } from './har-baseline.ts';
import type { Forecaster } from './pooled-har.ts';

export interface Baseline {
  name: BaselineName;
  of(window: Window): WindowForecast;
}

/** Volatility of a one-minute return over the given windows. */
export function constantVolatility(prior: readonly Window[]): number {
  let squares = 0;
  for (const w of prior) squares += w.future.rv50 ** 2;
  return Math.sqrt(squares / (prior.length * HORIZON_BARS));
}

/**
 * @param prior  windows of the same symbol before the measured span: the baselines see nothing later
 * @param pooledHar  log-HAR of the whole asset class; null if that has no past: `har-pooled` is then the symbol's own
 * @returns in the order of BASELINE_NAMES
 */
export function fitBaselines(prior: readonly Window[], pooledHar: Forecaster | null): Baseline[] {
  const normal = normalTable();
  const constant = randomWalk(constantVolatility(prior));
  const har = fitHar(prior);
  const ofHar = (w: Window): WidthForecast => har(w.features);
  const ofBoth = (w: Window): WidthForecast => randomWalk(w.features.scale);
  const ofReturns = remembered((w) => randomWalk(returnsOnlyScale(w)));
  const empirical = (of: (w: Window) => WidthForecast): UpperTable =>
    empiricalTable(prior.map((w) => standardised(w.future.change, of(w).sigma)));
  const ownHar = { table: empirical(ofHar), of: ofHar };
  const forecasters: Record<BaselineName, Forecaster> = {
    constant: { table: normal, of: () => constant },
    'ewma-gauss': { table: normal, of: ofBoth },
    'ewma-empirical': { table: empirical(ofBoth), of: ofBoth },
    'ewma-returns-gauss': { table: normal, of: ofReturns },
    'ewma-returns-empirical': { table: empirical(ofReturns), of: ofReturns },
    'har-empirical': ownHar,
    'har-pooled': pooledHar ?? ownHar,
  };
  return BASELINE_NAMES.map((name) => {
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

/** A walk with one volatility per minute. Its range is right up to a constant factor, which the measurement removes. */
function randomWalk(volatility: number): WidthForecast {
  const sigma = Float64Array.from({ length: HORIZON_BARS }, (_, i) => volatility * Math.sqrt(i + 1));
  const rv50 = volatility * Math.sqrt(HORIZON_BARS);
  return { sigma, rv50, range50: rv50 };
}

/** The classic one: half-life of 60 minutes over squared returns, ignores ranges. */
function returnsOnlyScale(w: Window): number {
  const { returns } = minuteSeries(lookbackOf(w.file, w.index));
  return Math.max(SCALE_FLOOR, Math.sqrt(ewma(returns.map((r) => r * r))));
}

/** Two forecasters need the same value of every window. */
function remembered(of: (w: Window) => WidthForecast): (w: Window) => WidthForecast {
  const known = new WeakMap<Window, WidthForecast>();
  return (w) => {
    const before = known.get(w);
    if (before !== undefined) return before;
    const forecast = of(w);
    known.set(w, forecast);
    return forecast;
  };
}
