/** How fast the market's clock runs beside ours: a sandbox's may run many times as fast. */
import type { Clock } from '#domain/time/clock.ts';

export interface MarketPace {
  /** Milliseconds to wait; short until the pace is known, and a minute at most, because clocks can be set. */
  untilMs(marketMs: number): number;
  /** A span of market time in our milliseconds. */
  ofOursMs(marketMs: number): number;
}

/** A pace measured over less than this is noise. */
const MIN_SPAN_MS = 200;
const FIRST_CHECK_MS = 250;
const LONGEST_WAIT_MS = 60_000;
const MAX_PACE = 3600;

/** @param monotonicMs  our own monotonic time */
export function marketPace(clock: Clock, monotonicMs: () => number = () => performance.now()): MarketPace {
  let last = { atMs: monotonicMs(), marketMs: clock.nowMs() };
  let pace: number | null = null;

  function measure(): void {
    const now = { atMs: monotonicMs(), marketMs: clock.nowMs() };
    if (now.atMs - last.atMs < MIN_SPAN_MS) return;
    pace = sensible((now.marketMs - last.marketMs) / (now.atMs - last.atMs));
    last = now;
  }

  return {
    untilMs(marketMs) {
      measure();
      if (pace === null) return FIRST_CHECK_MS;
      return Math.min(LONGEST_WAIT_MS, Math.max(0, (marketMs - clock.nowMs()) / pace));
    },
    ofOursMs: (marketMs) => marketMs / (pace ?? 1),
  };
}

/** A change of the clock affects one measurement only. */
function sensible(pace: number): number {
  if (!(pace > 0) || pace > MAX_PACE) return 1;
  return Math.abs(pace - 1) < 0.02 ? 1 : pace;
}
