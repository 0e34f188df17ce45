/** Turns a drawn path into candles on the symbol's price grid, and validates each of them. */
import { AppError } from '#domain/errors/app-error.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { DrawnPath } from './paths.ts';
import type { PriceGrid } from './price-grid.ts';

/**
 * 50 candles after `t0`: first open = `lastClose`, every other open = the close before, volume 0 (volume is not
 * forecast, and an invented one would look like knowledge).
 * @throws AppError `forecast/failed` when a candle breaks an invariant: no malformed candle is ever shown
 */
export function pathCandles(path: DrawnPath, t0: number, lastClose: number, grid: PriceGrid): Candle[] {
  const candles: Candle[] = [];
  let open = lastClose;
  for (let minute = 0; minute < HORIZON_BARS; minute++) {
    const close = grid.nearest(lastClose * Math.exp(path.level[minute] ?? 0));
    const top = Math.max(open, close);
    const bottom = Math.min(open, close);
    const high = Math.max(top, grid.nearest(top * Math.exp(path.upperWick[minute] ?? 0)));
    const low = Math.min(bottom, grid.nearest(bottom * Math.exp(-(path.lowerWick[minute] ?? 0))));
    candles.push({ time: t0 + MINUTE_S * (minute + 1), open, high, low, close, volume: 0 });
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
