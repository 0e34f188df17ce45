/** Simulated paths of an hour: normal walks with a model's or a baseline's variances, in mirrored pairs. */
import { type ChanceForecast, variancesLeft } from '#domain/chances/chance-forecast.ts';
import { RandomBits } from '#domain/chances/random-bits.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type SimulatedPaths, SYNTH_STEPS } from './synth-score.ts';

/** 1,000 paths. */
export const SYNTH_PAIRS = 500;
const UINT = 2 ** 32;

/** Spread of the paths' volatilities about the forecast's: the logarithm's deviation, chosen on validation hours. */
const VOLATILITY_SPREAD = 0.25;

/**
 * Normal steps with the forecast's variances; each pair of paths has its own volatility, because the forecast of it may
 * be wrong. Beyond the fiftieth minute each has the mean variance of minutes 41 to 50, as in chances of the running hour.
 */
export function modelPaths(forecast: ChanceForecast): SimulatedPaths {
  return walkPaths(forecast.lastClose, variancesLeft(forecast, 0, SYNTH_STEPS), forecast.key, VOLATILITY_SPREAD);
}

/** @param variance  of each of the 60 minutes. @param key  the same key gives the same paths */
export function walkPaths(lastClose: number, variance: Float64Array, key: string, spread = 0): SimulatedPaths {
  const count = 2 * SYNTH_PAIRS;
  const prices = new Float64Array(count * (SYNTH_STEPS + 1)).fill(lastClose, 0, count);
  const steps = normalDraws(key, SYNTH_PAIRS * SYNTH_STEPS);
  const volatilities = normalDraws(`${key} spread`, spread > 0 ? SYNTH_PAIRS : 0);
  const deviation = variance.map(Math.sqrt);
  for (let pair = 0; pair < SYNTH_PAIRS; pair++) {
    // Its mean square is 1.
    const volatility = Math.exp(spread * (volatilities[pair] ?? 0) - spread * spread);
    let level = 0;
    for (let step = 0; step < SYNTH_STEPS; step++) {
      level += volatility * (deviation[step] ?? 0) * (steps[pair * SYNTH_STEPS + step] ?? 0);
      const growth = Math.exp(level);
      prices[(step + 1) * count + 2 * pair] = lastClose * growth;
      prices[(step + 1) * count + 2 * pair + 1] = lastClose / growth;
    }
  }
  return { count, prices };
}

/** By Box and Muller. */
function normalDraws(key: string, count: number): Float64Array {
  const bits = new Uint32Array(2 * count);
  new RandomBits(key).fill(bits);
  return Float64Array.from({ length: count }, (_, i) => {
    const radius = Math.sqrt(-2 * Math.log(((bits[2 * i] ?? 0) + 0.5) / UINT));
    return radius * Math.cos((2 * Math.PI * (bits[2 * i + 1] ?? 0)) / UINT);
  });
}

/** Variances of 60 minutes from the volatilities of the change to minutes 1 to 50. */
export function hourVariance(sigma: Float64Array): Float64Array {
  const minute = (i: number): number => (sigma[i] ?? 0) ** 2 - (i === 0 ? 0 : (sigma[i - 1] ?? 0) ** 2);
  const last = ((sigma[HORIZON_BARS - 1] ?? 0) ** 2 - (sigma[HORIZON_BARS - 11] ?? 0) ** 2) / 10;
  return Float64Array.from({ length: SYNTH_STEPS }, (_, i) => (i < HORIZON_BARS ? minute(i) : last));
}
