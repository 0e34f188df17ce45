/** A candle while its minute runs: the aggregate of the trades so far. */
import type { Candle } from '#domain/market/candle.ts';
import type { Trade } from './ticks.ts';

/**
 * @param whole   the candle as it will close
 * @param trades  all of its trades, oldest first
 * @param nowMs   market time; before the minute's start only its open is visible
 */
export function openCandleAt(whole: Candle, trades: readonly Trade[], nowMs: number): Candle {
  const { open } = whole;
  const seen = { ...whole, high: open, low: open, close: open };
  let volume = 0;
  for (const [i, trade] of trades.entries()) {
    if (i > 0 && trade.timeMs > nowMs) break;
    seen.high = Math.max(seen.high, trade.price);
    seen.low = Math.min(seen.low, trade.price);
    seen.close = trade.price;
    volume = trade.volumeSoFar;
  }
  if (whole.volume !== undefined) seen.volume = volume;
  return seen;
}
