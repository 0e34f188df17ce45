/**
 * Rules and outcomes are dated by the later of our clock and the market's, candles and slots by the market's alone, which
 * runs apart from ours where recordings are played.
 */
import type { Clock } from '#domain/time/clock.ts';

export interface Clocks {
  /** Ours. */
  clock: Clock;
  marketClock: Clock;
}

export interface AlertTime {
  /** By our clock. */
  nowMs: number;
  /** As outcomes are dated. */
  latestMs: number;
  /** By the market's clock. */
  marketMs: number;
}

/** As outcomes are dated: server/record/outcomes.ts. */
export function latestMs({ clock, marketClock }: Clocks): number {
  return Math.max(clock.nowMs(), marketClock.nowMs());
}

export function timeNow(clocks: Clocks): AlertTime {
  const [nowMs, marketMs] = [clocks.clock.nowMs(), clocks.marketClock.nowMs()];
  return { nowMs, marketMs, latestMs: Math.max(nowMs, marketMs) };
}

/** The market's time, epoch seconds, at which a rule was made, as far apart as the clocks are now. */
export function ruleMarketS(sinceMs: number, { latestMs: ours, marketMs }: AlertTime): number {
  return (sinceMs - (ours - marketMs)) / 1000;
}
