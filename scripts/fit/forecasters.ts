/** Who is measured against whom: Bobcat and the walks it must beat. All have their median at the last close. */
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { ewma, FEATURE_NAMES, SCALE_FLOOR } from '../../server/forecast/features.ts';
import { forecastVolatility, tableClassOf } from '../../server/forecast/har-model.ts';
import { minuteSeries } from '../../server/forecast/minute-series.ts';
import { BIN_COUNT, type HarModel } from '../../server/forecast/model-file.ts';
import { standardised } from './fit-model.ts';
import { NO_PATHS } from './fit-path-tables.ts';
import { fitUpperQuantiles, gaussUpperQuantiles } from './fit-quantiles.ts';
import { fitBase, fitRow } from './fit-volatility.ts';
import { lookbackOf, type Window } from '../measure/windows.ts';

export interface WindowForecast {
  sigma: Float64Array;
  /** [h - 1][upper level], as in the model file. */
  upper: readonly (readonly number[])[];
  rv50: number;
  range50: number;
}

export interface Forecaster {
  name: string;
  of(window: Window): WindowForecast;
}

/** Volatility of a one-minute return over all earlier windows. */
export function constantVolatility(prior: readonly Window[]): number {
  let squares = 0;
  for (const w of prior) squares += w.future.rv50 ** 2;
  return Math.sqrt(squares / (prior.length * HORIZON_BARS));
}

export function bobcat(model: HarModel): Forecaster {
  return {
    name: 'bobcat',
    of: (w) => {
      const { sigma, rv50, range50 } = forecastVolatility(model, w.features);
      return { sigma, rv50, range50, upper: model.upperQuantiles[tableClassOf(w.features.assetClass)] };
    },
  };
}

/** @param prior  windows of the same symbol before the measured span: the baselines know nothing later */
export function baselines(prior: readonly Window[]): Forecaster[] {
  const constant = rootOfTime(constantVolatility(prior));
  const gauss = gaussUpperQuantiles();
  const walk = (name: string, upper: number[][], of: (w: Window) => Float64Array): Forecaster => ({
    name,
    of: (w) => {
      const sigma = of(w);
      const sigma50 = sigma[HORIZON_BARS - 1] ?? 0;
      return { sigma, upper, rv50: sigma50, range50: sigma50 };
    },
  });
  const ewmaOfBoth = (w: Window): Float64Array => rootOfTime(w.features.scale);
  const empirical = (of: (w: Window) => Float64Array): number[][] =>
    fitUpperQuantiles(
      prior.map((w) => {
        const sigma = of(w);
        return { weight: 1, moves: w.future.change.map((y, i) => y / (sigma[i] ?? 1)) };
      }),
    );
  return [
    walk('constant', gauss, () => constant),
    walk('ewma-gauss', gauss, ewmaOfBoth),
    walk('ewma-empirical', empirical(ewmaOfBoth), ewmaOfBoth),
    walk('ewma-returns-gauss', gauss, ewmaOfReturns),
    walk('ewma-returns-empirical', empirical(ewmaOfReturns), ewmaOfReturns),
    har(prior),
  ];
}

/** The classic one: half-life 60 minutes over squared returns, blind to ranges. */
function ewmaOfReturns(w: Window): Float64Array {
  const known = returnsOnlyScale.get(w);
  if (known !== undefined) return rootOfTime(known);
  const { returns } = minuteSeries(lookbackOf(w.file, w.index));
  const scale = Math.max(SCALE_FLOOR, Math.sqrt(ewma(returns.map((r) => r * r))));
  returnsOnlyScale.set(w, scale);
  return rootOfTime(scale);
}

/** Two forecasters ask this of every window. */
const returnsOnlyScale = new WeakMap<Window, number>();

/** Log-HAR refitted on the symbol's own past, without hour rhythm or pooling. The model's own kind: a tie is no shame. */
function har(prior: readonly Window[]): Forecaster {
  const flat = new Array<number>(60).fill(1);
  const isHar = (column: number): boolean => !(FEATURE_NAMES[column] ?? '').startsWith('hour');
  const heads = fitBase(
    prior.map((w) => fitRow(w, flat, 1)),
    isHar,
  );
  const none = Array.from({ length: BIN_COUNT + 2 }, () => []);
  const model = (upper: number[][]): HarModel => ({
    features: [],
    sessionFeatures: [],
    logVariance: heads.slice(0, BIN_COUNT),
    logRv50: heads[BIN_COUNT] ?? [],
    logRange50: heads[BIN_COUNT + 1] ?? [],
    sessionOffsets: { equity: none, metal: none },
    minuteFactors: { crypto: flat, equity: flat, metal: flat },
    upperQuantiles: { crypto: upper, equity: upper, metal: upper },
    paths: NO_PATHS,
  });
  const draft = model([]);
  const upper = fitUpperQuantiles(prior.map((w) => ({ weight: 1, moves: standardised(draft, w) })));
  return { ...bobcat(model(upper)), name: 'har-empirical' };
}

function rootOfTime(volatility: number): Float64Array {
  return Float64Array.from({ length: HORIZON_BARS }, (_, i) => volatility * Math.sqrt(i + 1));
}
