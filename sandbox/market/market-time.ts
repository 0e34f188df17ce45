/**
 * The sandbox market's own time: it starts with the wall clock and runs `speed` times as fast. At any speed but 1 its
 * candles run ahead of the wall clock, so readers must take 'now' from the venue (GET /fapi/v1/time, event times).
 */

import type { Candle } from '#domain/market/candle.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { ListedSymbol } from './market-sources.ts';
import { openCandleAt } from './open-candle.ts';

export function marketTime(clock: Clock, speed: number): Clock {
  const startMs = clock.nowMs();
  return { nowMs: () => Math.floor(startMs + (clock.nowMs() - startMs) * speed) };
}

/** Opening second of the minute that is running. */
export function runningMinuteS(nowMs: number): number {
  return Math.floor(nowMs / 1000 / MINUTE_S) * MINUTE_S;
}

/** The candle of a minute as it looks at `nowMs`: whole once its minute is over, unfinished before; null without trade. */
export function candleSeenAt(listed: ListedSymbol, timeS: number, nowMs: number): Candle | null {
  const whole = listed.source.candleAt(timeS);
  const fraction = (nowMs / 1000 - timeS) / MINUTE_S;
  if (whole === null || fraction >= 1) return whole;
  return openCandleAt(whole, fraction, listed.symbol.tickSize);
}
