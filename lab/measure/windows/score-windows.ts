/** Runs every model and every baseline over one symbol's windows, in batches, and stores only the scores. */
import { AppError } from '../../../domain/errors/app-error.ts';
import type { ModelName } from '../../../domain/forecast/models.ts';
import type { ReleaseTable } from '../../../domain/forecast/releases/release-table.ts';
import { type TimedRelease, varianceFactors } from '../../../domain/forecast/releases/widening.ts';
import type { Candle } from '../../../domain/market/candle.ts';
import { barSecondsOf, type Timeframe } from '../../../domain/market/timeframes.ts';
import { BadInput } from '../../../scripts/bad-input.ts';
import type { StoredPathTables } from '../../../server/forecast/models/manifest.ts';
import { buildModelInputs, type ModelInputs } from '../../../server/forecast/network/model-inputs.ts';
import {
  computeForecast,
  type NetworkOutput,
  type VolatilityForecast,
  volatilityOf,
  widenedVolatility,
} from '../../../server/forecast/network/network-forecast.ts';
import { type Baseline, constantVolatility, fitBaselines } from '../baselines/baselines.ts';
import type { MeasuredSymbol, Prior } from '../measured-symbols.ts';
import { tickSizeOf } from '../tick-size.ts';
import { scoreForecast, type WindowScore } from './scores.ts';
import { ShownBands } from './shown-bands.ts';
import { symmetricQuantiles, type WindowForecast, widenedForecast } from './window-forecast.ts';
import { lookbackOf, type Window } from './windows.ts';

/** Bounds memory: a window's inputs are 13 KB, and the models share them. */
const BATCH_WINDOWS = 64;

/** A network of server/forecast/network/network.ts, or a test's fake. */
export interface MeasuredNetwork {
  /** One output for each of the inputs, in their order. */
  run(inputs: readonly ModelInputs[]): Promise<NetworkOutput[]>;
  release(): Promise<void>;
}

export interface MeasuredModel {
  name: ModelName;
  modelVersion: string;
  network: MeasuredNetwork;
  tables: StoredPathTables;
}

/** One model's result for one window. */
export interface ModelForecast {
  model: MeasuredModel;
  forecast: WindowForecast;
  /** Empty if the drawn candles broke an invariant, at `brokenAt`: the site shows nothing then. */
  path: readonly Candle[];
  brokenAt: number | null;
  /** Inputs (shared by the models, counted in full for each), network and paths. */
  ms: number;
}

export interface BaselineForecast {
  name: Baseline['name'];
  forecast: WindowForecast;
}

export interface Observation {
  window: Window;
  models: readonly ModelForecast[];
  baselines: readonly BaselineForecast[];
}

export interface ScoreOptions {
  /** Receives every scored window with its drawn path. Without it no paths are drawn. */
  observe?: ((observation: Observation) => void) | undefined;
  /** Models and baselines know these releases; absent: none does. */
  calendar?: MeasuredCalendar | undefined;
  /** Windows per run of a network; with 1, `ms` is the time of a single forecast. */
  batchWindows?: number | undefined;
}

export interface MeasuredCalendar {
  releases: readonly TimedRelease[];
  table: ReleaseTable;
}

export interface ScoredWindow {
  t0: number;
  /** One over the symbol's constant volatility, so that every symbol's CRPS has the same weight. */
  weight: number;
  /** The models in their order, then BASELINE_NAMES, then HARDER_BASELINE_NAMES. */
  scores: WindowScore[];
  /** The models again, with the bands that users see. */
  shown: WindowScore[];
}

export interface ScoredSymbol {
  name: string;
  timeframe: Timeframe;
  baselinesFrom: Prior['from'];
  windows: ScoredWindow[];
  /** Windows that no forecaster is scored on, because a model's plausibility gate withheld its forecast. */
  withheld: { t0: number; model: ModelName; reason: string }[];
}

/** @throws Error if a network throws; BadInput if there is nothing to scale errors by */
export async function scoreSymbol(
  models: readonly MeasuredModel[],
  symbol: MeasuredSymbol,
  options: ScoreOptions = {},
): Promise<ScoredSymbol> {
  const { observe, calendar, batchWindows = BATCH_WINDOWS } = options;
  const prior = symbol.prior();
  const volatility = constantVolatility(prior.windows);
  if (!(volatility > 0)) throw new BadInput(`${symbol.file.name}: its price never moved in ${prior.from}`);
  const baselines = fitBaselines(prior.windows, symbol.harOfClass());
  const weight = 1 / volatility;
  const scored: ScoredSymbol = {
    name: symbol.file.name,
    timeframe: symbol.file.timeframe,
    baselinesFrom: prior.from,
    windows: [],
    withheld: [],
  };
  const bands = new ShownBands(symbol.file.timeframe, models.length);
  for (let start = 0; start < symbol.windows.length; start += batchWindows) {
    const batch = symbol.windows.slice(start, start + batchWindows);
    const runs = await runBatch(models, batch);
    for (const [i, window] of batch.entries()) {
      const ofModels: ModelForecast[] = [];
      const factors = calendar === undefined ? null : factorsOf(window, calendar);
      for (const { model, outputs, msEach, inputs } of runs) {
        const input = inputs[i];
        const output = outputs[i];
        if (input === undefined || output === undefined) throw new Error(`${model.name} gave no output for a window`);
        const result = forecastOf(model, window, { inputs: input, output, factors }, msEach, observe !== undefined);
        if ('reason' in result) scored.withheld.push({ t0: window.t0, model: model.name, reason: result.reason });
        else ofModels.push(result);
      }
      if (ofModels.length < models.length) continue;
      const ofBaselines = baselines.map(({ name, of }) => ({ name, forecast: widenedForecast(of(window), factors) }));
      const forecasts = [...ofModels, ...ofBaselines].map(({ forecast }) => forecast);
      const [own, shown] = [
        forecasts,
        bands.next(
          window,
          ofModels.map(({ forecast }) => forecast),
        ),
      ].map((all) => all.map((forecast) => scoreForecast(window.future, forecast)));
      scored.windows.push({ t0: window.t0, weight, scores: own ?? [], shown: shown ?? [] });
      observe?.({ window, models: ofModels, baselines: ofBaselines });
    }
  }
  return scored;
}

export interface BatchRun {
  model: MeasuredModel;
  inputs: readonly ModelInputs[];
  outputs: readonly NetworkOutput[];
  msEach: number;
}

export async function runBatch(models: readonly MeasuredModel[], batch: readonly Window[]): Promise<BatchRun[]> {
  const startedMs = performance.now();
  const inputs = batch.map((w) => buildModelInputs(lookbackOf(w.file, w.index), w.file.assetClass, w.file.timeframe));
  const inputsMs = performance.now() - startedMs;
  const runs: BatchRun[] = [];
  for (const model of models) {
    const runFromMs = performance.now();
    const outputs = await model.network.run(inputs);
    runs.push({ model, inputs, outputs, msEach: (inputsMs + performance.now() - runFromMs) / batch.length });
  }
  return runs;
}

interface Computed {
  inputs: ModelInputs;
  output: NetworkOutput;
  /** On the variance of each bar, by what is released; null: nothing. */
  factors: readonly number[] | null;
}

function factorsOf({ t0, file: { assetClass, timeframe } }: Window, { releases, table }: MeasuredCalendar) {
  return varianceFactors(releases, { t0, barS: barSecondsOf(timeframe), assetClass }, table);
}

function forecastOf(
  model: MeasuredModel,
  window: Window,
  { inputs: { features }, output, factors }: Computed,
  msBefore: number,
  isDrawn: boolean,
): ModelForecast | { reason: string } {
  const startedMs = performance.now();
  try {
    const volatility = widenedVolatility(volatilityOf(output, features), factors ?? undefined);
    const { path, brokenAt } = isDrawn ? drawn(model, window, features, volatility) : { path: [], brokenAt: null };
    const ms = msBefore + performance.now() - startedMs;
    return { model, forecast: windowForecastOf(volatility), path, brokenAt, ms };
  } catch (error) {
    if (error instanceof AppError && error.code === 'forecast/failed') return { reason: String(error.details?.reason) };
    throw error;
  }
}

/** A broken candle is not a withheld forecast: its window stays in every figure, and the candle is counted. */
function drawn(
  { tables, modelVersion }: MeasuredModel,
  window: Window,
  features: ModelInputs['features'],
  volatility: VolatilityForecast,
): Pick<ModelForecast, 'path' | 'brokenAt'> {
  const { name, assetClass } = window.file;
  const subject = { sym: name, assetClass, tickSize: tickSizeOf(window) };
  try {
    return { path: computeForecast(tables, modelVersion, subject, features, volatility).path, brokenAt: null };
  } catch (error) {
    const broken = error instanceof AppError && error.code === 'forecast/failed' ? error.details.broken : undefined;
    if (typeof broken === 'number') return { path: [], brokenAt: broken };
    throw error;
  }
}

function windowForecastOf({ upperQuantiles, rv50, range50 }: VolatilityForecast): WindowForecast {
  return { quantiles: symmetricQuantiles((h, level) => upperQuantiles[h - 1]?.[level] ?? Number.NaN), rv50, range50 };
}
