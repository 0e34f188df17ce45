/**
 * Rules and outcomes are dated by the later of our clock and the market's; candles and slots by the market's only. The
 * two clocks differ when recordings are replayed.
 */
import type { Clock } from '#domain/time/clock.ts';

export interface Clocks {
  clock: Clock;
  marketClock: Clock;
}

export interface AlertTime {
  nowMs: number;
  /** By the clock that dates outcomes. */
  latestMs: number;
  marketMs: number;
}

/** The clock that dates outcomes: server/record/outcomes.ts. */
export function latestMs({ clock, marketClock }: Clocks): number {
  return Math.max(clock.nowMs(), marketClock.nowMs());
}

export function timeNow(clocks: Clocks): AlertTime {
  const [nowMs, marketMs] = [clocks.clock.nowMs(), clocks.marketClock.nowMs()];
  return { nowMs, marketMs, latestMs: Math.max(nowMs, marketMs) };
}

/** The market time of a rule's creation, in epoch seconds, using the present offset of the clocks. */
export function ruleMarketS(sinceMs: number, { latestMs: ours, marketMs }: AlertTime): number {
  return (sinceMs - (ours - marketMs)) / 1000;
}
