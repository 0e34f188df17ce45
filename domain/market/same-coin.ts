/** Two exchanges may trade different coins under one ticker. Names don't show it, prices do. */
import type { Candle } from './candle.ts';

export interface PriceSeries {
  /** Oldest first. */
  candles: readonly Candle[];
  /** Length of its bars, seconds. */
  barS: number;
}

/** Closes of one coin at two exchanges differ by a fraction of this, as a difference of logarithms. */
const MAX_APART = 0.03;
/** The same for two prices up to some minutes apart, such as a candle and an order book. */
const MAX_APART_NOW = 0.2;
/** The same for closes of different times: in a long outage a price may double. */
const MAX_MOVED = Math.log(4);

/**
 * Compares the closes at common times by their median difference, so that a few bad candles do not count. Without common
 * times, only closes that no outage explains are apart. True if one series has no candles.
 */
export function isSameCoin(a: PriceSeries, b: PriceSeries): boolean {
  const closes = new Map(a.candles.map(({ time, close }) => [time + a.barS, close]));
  const apart = b.candles.flatMap(({ time, close }) => {
    const other = closes.get(time + b.barS);
    return other === undefined ? [] : [Math.abs(Math.log(close / other))];
  });
  const median = apart.toSorted((x, y) => x - y)[apart.length >> 1];
  if (median !== undefined) return median <= MAX_APART;
  const [newestA, newestB] = [a.candles.at(-1), b.candles.at(-1)];
  if (newestA === undefined || newestB === undefined) return true;
  const [earlier, later] = newestA.time < newestB.time ? [newestA, b] : [newestB, a];
  const next = later.candles.find(({ time }) => time > earlier.time) ?? earlier;
  return Math.abs(Math.log(next.close / earlier.close)) <= MAX_MOVED;
}

/** Whether two prices of about the same time can be of one coin. */
export function isNearPrice(a: number, b: number): boolean {
  return Math.abs(Math.log(a / b)) <= MAX_APART_NOW;
}
