/** Tables for drawing paths: the distribution of standardised minutes and their wicks. Quantiles only, no sequence. */
import type { StoredPathTables } from '../../server/forecast/models/manifest.ts';
import { computeForecast } from '../../server/forecast/network/network-forecast.ts';
import {
  binOf,
  GRID_NOISE,
  type Lengths,
  lengthsOf,
  nextCluster,
  wickinessOf,
} from '../../server/forecast/paths/paths.ts';
import { seededRandom } from '../../server/forecast/paths/random.ts';
import { leastSquares } from '../measure/baselines/least-squares.ts';
import { rounded, weightedQuantiles } from '../measure/baselines/weighted-quantiles.ts';
import { RealismTally } from '../measure/realism.ts';
import { tickSizeOf } from '../measure/tick-size.ts';
import { targetOf } from '../measure/windows/windows.ts';
import { spreadToBands } from './path-spread.ts';
import type { ForecastWindow } from './window-outputs.ts';

const PROBABILITIES = [
  0, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9,
  0.925, 0.95, 0.965, 0.975, 0.985, 0.99, 0.995, 0.998, 0.999, 1,
];
/** The last knot is a quantile with some minutes above it, not the largest value. */
const TOP_PROBABILITY = 0.9998;
const LEFT_ABOVE = 8;
const RETURN_EDGES = [0.1, 0.3, 0.6, 1, 1.5, 2.5];
const PREVIOUS_EDGES = [0.3, 0.8, 1.5, 2.5];
/**
 * The least QLIKE would be at 0.18 and 0.75. The values are stronger, because picking a typical path smooths part of it
 * out; on validation, drawn minutes then follow each other as real ones do.
 */
const CLUSTERING = { alpha: 0.5, beta: 0.43 };

const UNIT_LENGTHS: Lengths = { returns: 1, wicks: 1 };

interface MinuteSample {
  weight: number;
  absReturn: number;
  previous: number;
  wicks: number;
  aheadShare: number;
}

/** @param forecasts  of the fitting span, far enough apart that few minutes count twice */
export function fitPathTables(
  forecasts: readonly ForecastWindow[],
  weightOf: (forecast: ForecastWindow) => number,
): StoredPathTables {
  const dither = seededRandom('path tables');
  const perWindow = forecasts.map((forecast) => minuteSamples(forecast, weightOf(forecast), dither));
  const wickiness = fitWickiness(forecasts, perWindow, weightOf);
  const samples = perWindow.flatMap((minutes, i) => {
    const window = forecasts[i]?.window;
    const lengths = window === undefined ? UNIT_LENGTHS : lengthsOf({ wickiness }, window.features);
    return minutes.map((s) => ({
      ...s,
      absReturn: s.absReturn / lengths.returns,
      previous: s.previous / lengths.returns,
      wicks: s.wicks / lengths.wicks,
    }));
  });
  const quantiles = (chosen: readonly MinuteSample[], of: (s: MinuteSample) => number): number[] => {
    const top = Math.min(TOP_PROBABILITY, 1 - LEFT_ABOVE / Math.max(2 * LEFT_ABOVE, chosen.length));
    const probabilities = PROBABILITIES.map((p) => Math.min(top, p));
    const weights = Float64Array.from(chosen, (s) => s.weight);
    return weightedQuantiles(Float64Array.from(chosen, of), weights, probabilities).map((v) => rounded(v));
  };
  const inBin = (bin: number): MinuteSample[] => samples.filter((s) => binOf(s.absReturn, RETURN_EDGES) === bin);
  const bins = Array.from({ length: RETURN_EDGES.length + 1 }, (_, bin) => inBin(bin));
  return {
    ...CLUSTERING,
    wickiness,
    lengths: UNIT_LENGTHS,
    probabilities: PROBABILITIES,
    absReturn: Array.from({ length: PREVIOUS_EDGES.length + 1 }, (_, previousBin) =>
      quantiles(
        samples.filter((s) => binOf(s.previous, PREVIOUS_EDGES) === previousBin),
        (s) => s.absReturn,
      ),
    ),
    returnEdges: RETURN_EDGES,
    previousEdges: PREVIOUS_EDGES,
    wicks: bins.map((bin) =>
      Array.from({ length: PREVIOUS_EDGES.length + 1 }, (_, previousBin) =>
        quantiles(
          bin.filter((s) => binOf(s.previous, PREVIOUS_EDGES) === previousBin),
          (s) => s.wicks,
        ),
      ),
    ),
    aheadShare: bins.map((bin) =>
      quantiles(
        bin.filter((s) => s.wicks > 0),
        (s) => s.aheadShare,
      ),
    ),
  };
}

/** How a window's mean body and mean wick depend on the wickiness of its lookback: two straight lines. */
function fitWickiness(
  forecasts: readonly ForecastWindow[],
  samples: readonly (readonly MinuteSample[])[],
  weightOf: (forecast: ForecastWindow) => number,
): StoredPathTables['wickiness'] {
  const weight = forecasts.reduce((sum, f) => sum + weightOf(f), 0);
  const centre = forecasts.reduce((sum, f) => sum + weightOf(f) * wickinessOf(f.window.features), 0) / weight;
  const slope = (of: (s: MinuteSample) => number): number => {
    const means = samples.map((minutes) => minutes.reduce((sum, s) => sum + of(s), 0) / minutes.length);
    const equations = forecasts.map((f, i) => ({
      x: Float64Array.of(1, wickinessOf(f.window.features) - centre),
      y: means[i] ?? 0,
      weight: weightOf(f),
    }));
    const [level = 1, steepness = 0] = leastSquares(equations, 2);
    return rounded(steepness / level);
  };
  return { centre: rounded(centre), returnSlope: slope((s) => s.absReturn), wickSlope: slope((s) => s.wicks) };
}

/**
 * Each return is moved at random within the steps that round to it: coarse ticks would cause a peak at zero in the
 * tables, and rounding the drawn paths a second one.
 */
function minuteSamples({ window, volatility }: ForecastWindow, weight: number, dither: () => number): MinuteSample[] {
  const { file, index, features, future } = window;
  const tick = tickSizeOf(window) / features.lastClose;
  let cluster = 1;
  let previous = 0.7;
  let previousClose = features.lastClose;
  return targetOf(file, index).map((candle, minute) => {
    const mean = volatility.minuteVariance[minute] ?? 1;
    const wickUnit = Math.sqrt(mean * cluster);
    // Moving a return adds as much variance as the grid did.
    const bodyUnit = Math.sqrt((mean + GRID_NOISE * tick * tick) * cluster);
    const logReturn = (future.returns[minute] ?? 0) + (dither() - dither()) * tick;
    const top = Math.max(previousClose, candle.close);
    const bottom = Math.min(previousClose, candle.close);
    const upper = Math.log(Math.max(candle.high, top) / top);
    const lower = Math.log(bottom / Math.min(candle.low, bottom));
    const wicks = upper + lower;
    const ahead = logReturn >= 0 ? upper : lower;
    const sample = {
      weight,
      absReturn: Math.abs(logReturn) / bodyUnit,
      previous,
      wicks: wicks / wickUnit,
      aheadShare: wicks > 0 ? ahead / wicks : 0,
    };
    cluster = nextCluster(CLUSTERING, cluster, (future.blended[minute] ?? 0) / mean);
    previous = sample.absReturn;
    previousClose = candle.close;
    return sample;
  });
}

const LENGTH_ROUNDS = 3;

/**
 * Calibrates, on windows that no table was fitted on, the paths' width and the lengths at which they are as rough as
 * real ones.
 */
export function calibratePaths(fitted: StoredPathTables, forecasts: readonly ForecastWindow[]): StoredPathTables {
  let tables = spreadToBands(fitted, forecasts);
  for (let round = 0; round < LENGTH_ROUNDS; round++) {
    const tally = new RealismTally();
    for (const { window, volatility } of forecasts) {
      const { name, assetClass } = window.file;
      const subject = { sym: name, assetClass, tickSize: tickSizeOf(window) };
      tally.add(window, computeForecast(tables, '', subject, window.features, volatility).path);
    }
    const { roughnessRatio, rangeRatio } = tally.figures();
    const { returns, wicks } = tables.lengths;
    // About half of a candle's range is wick, so the wick length affects the range by half as much.
    const lengths = {
      returns: rounded(returns / roughnessRatio),
      wicks: rounded((wicks * roughnessRatio) / rangeRatio ** 2),
    };
    tables = { ...tables, lengths };
  }
  return tables;
}
