/** How long, by our own watch, until the market's clock shows a time: a sandbox market may run sixty times as fast. */
import type { Clock } from '#domain/time/clock.ts';

export interface MarketPace {
  /** Milliseconds to wait; a short while until the pace is known. Never longer than a minute: clocks are set, too. */
  untilMs(marketMs: number): number;
  /** A stretch of market time as milliseconds of ours. */
  ofOursMs(marketMs: number): number;
}

/** Over less than this a pace is noise. */
const MIN_SPAN_MS = 200;
const FIRST_LOOK_MS = 250;
const LONGEST_WAIT_MS = 60_000;
const MAX_PACE = 3600;

/** @param monotonicMs  our own watch, which nobody sets */
export function marketPace(clock: Clock, monotonicMs: () => number = () => performance.now()): MarketPace {
  let last = { atMs: monotonicMs(), marketMs: clock.nowMs() };
  let pace: number | null = null;

  function look(): void {
    const now = { atMs: monotonicMs(), marketMs: clock.nowMs() };
    if (now.atMs - last.atMs < MIN_SPAN_MS) return;
    pace = sensible((now.marketMs - last.marketMs) / (now.atMs - last.atMs));
    last = now;
  }

  return {
    untilMs(marketMs) {
      look();
      if (pace === null) return FIRST_LOOK_MS;
      return Math.min(LONGEST_WAIT_MS, Math.max(0, (marketMs - clock.nowMs()) / pace));
    },
    ofOursMs: (marketMs) => marketMs / (pace ?? 1),
  };
}

/** A clock that was set shows in one look, and is forgotten with the next. */
function sensible(pace: number): number {
  if (!(pace > 0) || pace > MAX_PACE) return 1;
  return Math.abs(pace - 1) < 0.02 ? 1 : pace;
}
