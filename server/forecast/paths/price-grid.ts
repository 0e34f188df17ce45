/** Prices are multiples of the symbol's tick, and never below one tick: 0 is not a price. */
import { AppError } from '#domain/errors/app-error.ts';
import { BANDS, type ForecastBand } from '#domain/forecast/quantiles.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { decimalsOf } from '#domain/format/price.ts';
import type { Candle } from '#domain/market/candle.ts';
import { UPPER_LEVELS } from '../models/manifest.ts';
import type { Features } from '../network/features.ts';
import type { DrawnPath } from './paths.ts';

interface PriceGrid {
  nearest(price: number): number;
  down(price: number): number;
  up(price: number): number;
}

/** Covers the error of dividing by a tick that binary fractions cannot represent. */
const SLACK = 1e-9;

export function priceGrid(tickSize: number): PriceGrid {
  const decimals = decimalsOf(tickSize);
  const perUnit = Math.round(1 / tickSize);
  // 0.1 and 0.005 divide 1: counting whole ticks and dividing once gives the shortest decimal, exactly.
  const isUnitFraction = Math.abs(perUnit * tickSize - 1) < SLACK;
  const at = (ticks: number): number => {
    const count = Math.max(1, ticks);
    return isUnitFraction ? count / perUnit : Number((count * tickSize).toFixed(decimals));
  };
  return {
    nearest: (price) => at(Math.round(price / tickSize)),
    down: (price) => at(Math.floor(price / tickSize + SLACK)),
    up: (price) => at(Math.ceil(price / tickSize - SLACK)),
  };
}

/** [h - 1][level of UPPER_LEVELS] quantiles of ln(C[t+h] / C[t]); the lower half mirrors them, the middle is 0. */
type UpperQuantiles = readonly (readonly number[])[];

/** Band edges as prices, rounded outward to the tick, so that lower95 <= lower80 <= lastClose <= upper80 <= upper95. */
export function quantileBand(upper: UpperQuantiles, lastClose: number, grid: PriceGrid): ForecastBand {
  const edge = (level: number): number[] =>
    upper.map((row) => {
      const price = lastClose * Math.exp(quantileAt(row, level));
      return level < 0.5 ? Math.min(lastClose, grid.down(price)) : Math.max(lastClose, grid.up(price));
    });
  return {
    lower80: edge(BANDS.p80.lower),
    upper80: edge(BANDS.p80.upper),
    lower95: edge(BANDS.p95.lower),
    upper95: edge(BANDS.p95.upper),
  };
}

function quantileAt(row: readonly number[], level: number): number {
  if (level === 0.5) return 0;
  const mirrored = level > 0.5 ? level : 1 - level;
  const place = UPPER_LEVELS.findIndex((candidate) => Math.abs(candidate - mirrored) < 1e-9);
  return Math.sign(level - 0.5) * (row[place] ?? Number.NaN);
}

/**
 * First open = `lastClose`, every other = the close before; volume 0, as an invented one would look like knowledge.
 * @throws AppError `forecast/failed` when a candle breaks an invariant: no malformed candle is ever shown
 */
export function pathCandles(
  path: DrawnPath,
  { t0, barS, lastClose }: Pick<Features, 't0' | 'barS' | 'lastClose'>,
  grid: PriceGrid,
): Candle[] {
  const candles: Candle[] = [];
  let open = lastClose;
  for (let minute = 0; minute < HORIZON_BARS; minute++) {
    const close = grid.nearest(lastClose * Math.exp(path.level[minute] ?? 0));
    const top = Math.max(open, close);
    const bottom = Math.min(open, close);
    const high = Math.max(top, grid.nearest(top * Math.exp(path.upperWick[minute] ?? 0)));
    const low = Math.min(bottom, grid.nearest(bottom * Math.exp(-(path.lowerWick[minute] ?? 0))));
    candles.push({ time: t0 + barS * (minute + 1), open, high, low, close, volume: 0 });
    open = close;
  }
  const broken = candles.findIndex((candle, i) => !holds(candle, i === 0 ? lastClose : candles[i - 1]?.close));
  if (broken >= 0)
    throw new AppError('forecast/failed', { details: { reason: 'a drawn candle is malformed', broken } });
  return candles;
}

function holds(c: Candle, previousClose: number | undefined): boolean {
  const areNumbers = [c.open, c.high, c.low, c.close].every(Number.isFinite);
  const isOrdered = 0 < c.low && c.low <= Math.min(c.open, c.close) && Math.max(c.open, c.close) <= c.high;
  return areNumbers && isOrdered && c.open === previousClose;
}
