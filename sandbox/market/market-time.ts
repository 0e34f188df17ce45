/**
 * The sandbox market's own time: it starts with the wall clock and runs `speed` times as fast. At any speed but 1 its
 * candles run ahead of the wall clock, so readers must take 'now' from the venue (GET /fapi/v1/time, event times).
 */
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { ListedSymbol } from './market-sources.ts';
import type { Trade } from './simulation/ticks.ts';

/** No market closes for longer. */
const MAX_REST_S = 10 * 86_400;
/** Twice the hour that the fastest market advances between two idle polls; a longer step is a clock jump. */
const MAX_STEP_S = 2 * 3600;

/** @param sinceMs  when it equalled the wall clock; absent: now. The same moment continues it after a restart. */
export function marketTime(clock: Clock, speed: number, sinceMs = clock.nowMs()): Clock {
  return { nowMs: () => Math.floor(sinceMs + (clock.nowMs() - sinceMs) * speed) };
}

/** Start of the running minute, epoch seconds. */
export function runningMinuteS(nowMs: number): number {
  return Math.floor(nowMs / 1000 / MINUTE_S) * MINUTE_S;
}

/** A minute's candle as seen at `nowMs`: final once its minute is over, partial before; null without trades. */
export function candleSeenAt({ source, ticks }: ListedSymbol, timeS: number, nowMs: number): Candle | null {
  const whole = source.candleAt(timeS);
  if (whole === null || nowMs >= (timeS + MINUTE_S) * 1000) return whole;
  return openCandleAt(whole, ticks.tradesOf(timeS), nowMs);
}

/** The newest trade at `nowMs`, from an earlier minute if the market is closed; null if the last ten days have none. */
export function lastTradeAt({ source, ticks }: ListedSymbol, nowMs: number): Trade | null {
  const runningS = runningMinuteS(nowMs);
  const oldestS = Math.max(source.firstS, runningS - MAX_REST_S);
  for (let timeS = runningS; timeS >= oldestS; timeS -= MINUTE_S) {
    // Checked first, so that days without trades do not evict the cached ones.
    if (source.candleAt(timeS) === null) continue;
    const trade = ticks.tradesOf(timeS).findLast(({ timeMs }) => timeMs <= nowMs);
    if (trade !== undefined) return trade;
  }
  return null;
}

/** Every trade after the given one up to `nowMs`, oldest first; after a clock jump, those of the last two hours. */
export function tradesAfter({ ticks }: ListedSymbol, { id, timeMs }: Trade, nowMs: number): Trade[] {
  const runningS = runningMinuteS(nowMs);
  const trades: Trade[] = [];
  for (let timeS = Math.max(runningMinuteS(timeMs), runningS - MAX_STEP_S); timeS <= runningS; timeS += MINUTE_S)
    for (const trade of ticks.tradesOf(timeS)) if (trade.id > id && trade.timeMs <= nowMs) trades.push(trade);
  return trades;
}

/** @param whole  the candle as it will close @param nowMs  before the minute's start only its open is visible */
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
