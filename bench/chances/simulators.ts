/** Simulated paths of an hour: a model's, and normal walks with a baseline's variances. All in mirrored pairs. */
import { type ChanceForecast, variancesLeft } from '#domain/chances/chance-forecast.ts';
import { drawnPaths } from '#domain/chances/draw-paths.ts';
import { RandomBits } from '#domain/chances/random-bits.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type SimulatedPaths, SYNTH_STEPS } from './synth-score.ts';

/** 1,000 paths. */
export const SYNTH_PAIRS = 500;
const UINT = 2 ** 32;

/** Beyond the fiftieth minute each has the mean variance of minutes 41 to 50, as in chances of the running hour. */
export function modelPaths(forecast: ChanceForecast): SimulatedPaths {
  if (forecast.paths === null) throw new Error('a model has path tables');
  const variance = variancesLeft(forecast, 0, SYNTH_STEPS);
  const { level } = drawnPaths(forecast.paths, variance, SYNTH_PAIRS, forecast.key);
  return priced(forecast.lastClose, (pair, step) => level[pair * SYNTH_STEPS + step] ?? 0);
}

/** @param variance  of each of the 60 minutes. @param key  the same key gives the same paths */
export function walkPaths(lastClose: number, variance: Float64Array, key: string): SimulatedPaths {
  const draws = new Uint32Array(2 * SYNTH_PAIRS * SYNTH_STEPS);
  new RandomBits(key).fill(draws);
  const level = new Float64Array(SYNTH_PAIRS * SYNTH_STEPS);
  for (let pair = 0; pair < SYNTH_PAIRS; pair++) {
    let sum = 0;
    for (let step = 0; step < SYNTH_STEPS; step++) {
      const at = pair * SYNTH_STEPS + step;
      const radius = Math.sqrt(-2 * Math.log(((draws[2 * at] ?? 0) + 0.5) / UINT));
      sum += Math.sqrt(variance[step] ?? 0) * radius * Math.cos((2 * Math.PI * (draws[2 * at + 1] ?? 0)) / UINT);
      level[at] = sum;
    }
  }
  return priced(lastClose, (pair, step) => level[pair * SYNTH_STEPS + step] ?? 0);
}

/** Variances of 60 minutes from the volatilities of the change to minutes 1 to 50. */
export function hourVariance(sigma: Float64Array): Float64Array {
  const minute = (i: number): number => (sigma[i] ?? 0) ** 2 - (i === 0 ? 0 : (sigma[i - 1] ?? 0) ** 2);
  const last = ((sigma[HORIZON_BARS - 1] ?? 0) ** 2 - (sigma[HORIZON_BARS - 11] ?? 0) ** 2) / 10;
  return Float64Array.from({ length: SYNTH_STEPS }, (_, i) => (i < HORIZON_BARS ? minute(i) : last));
}

function priced(lastClose: number, levelAt: (pair: number, step: number) => number): SimulatedPaths {
  const count = 2 * SYNTH_PAIRS;
  const prices = new Float64Array(count * (SYNTH_STEPS + 1)).fill(lastClose, 0, count);
  for (let step = 0; step < SYNTH_STEPS; step++) {
    for (let pair = 0; pair < SYNTH_PAIRS; pair++) {
      const growth = Math.exp(levelAt(pair, step));
      prices[(step + 1) * count + 2 * pair] = lastClose * growth;
      prices[(step + 1) * count + 2 * pair + 1] = lastClose / growth;
    }
  }
  return { count, prices };
}
