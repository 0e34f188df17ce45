/** The last close with the band of a random walk; volatility is an exponentially weighted mean ('ewma-gauss'). */
import { type Candle, MINUTE_S } from '../market/candle.ts';
import type { ForecastBand } from './quantiles.ts';
import { HORIZON_BARS } from './window.ts';

const HALF_LIFE_BARS = 60;
/** Parkinson: the variance of a driftless walk is its squared log range over 4 ln 2. */
const PARKINSON = 4 * Math.LN2;
/** A per-minute volatility below this comes from the tick size, not the market. */
export const SCALE_FLOOR = 2e-5;
/** Normal quantiles of 0.9 and 0.975: the upper edges of the two bands. */
const Z_80 = 1.2815515655446004;
const Z_95 = 1.959963984540054;

export interface GhostBaseline {
  lastClose: number;
  /** s: volatility of one candle, square root of the exponentially weighted mean (half-life 60) of blended variance. */
  scale: number;
  /** Edges lastClose x exp(+-z s sqrt(h)) for h = 1 .. horizon. */
  band: ForecastBand;
}

/**
 * @param history  well-formed candles up to the last close, oldest first. All of them count: a page has the 150 that
 *   it shows, while evaluation reads 450; at a half-life of 60 minutes the 300 older ones would weigh 17% of the mean.
 * @param barS  length of a candle in seconds
 * @returns null without a candle
 */
export function ghostBaseline(
  history: readonly Candle[],
  horizonBars = HORIZON_BARS,
  barS = MINUTE_S,
): GhostBaseline | null {
  const last = history.at(-1);
  if (last === undefined) return null;
  const scaleFloor = SCALE_FLOOR * Math.sqrt(barS / MINUTE_S);
  const scale = Math.max(scaleFloor, Math.sqrt(ewmaVariance(history, barS, HALF_LIFE_BARS)));
  const edge = (z: number): number[] =>
    Array.from({ length: horizonBars }, (_, i) => last.close * Math.exp(z * scale * Math.sqrt(i + 1)));
  const band = { lower80: edge(-Z_80), upper80: edge(Z_80), lower95: edge(-Z_95), upper95: edge(Z_95) };
  return { lastClose: last.close, scale, band };
}

/**
 * Half squared return, half Parkinson, newest last; after a gap in time the return runs from the candle's own open.
 * @param barS  length of a candle, seconds
 */
export function ewmaVariance(candles: readonly Candle[], barS: number, halfLifeBars: number): number {
  const decay = 0.5 ** (1 / halfLifeBars);
  let sum = 0;
  let weight = 0;
  let previous: Candle | undefined;
  for (const candle of candles) {
    const isJoined = previous !== undefined && candle.time - previous.time === barS;
    const move = Math.log(candle.close / (isJoined && previous !== undefined ? previous.close : candle.open));
    const range = Math.log(candle.high / candle.low);
    sum = sum * decay + 0.5 * move * move + (0.5 * range * range) / PARKINSON;
    weight = weight * decay + 1;
    previous = candle;
  }
  return sum / weight;
}
