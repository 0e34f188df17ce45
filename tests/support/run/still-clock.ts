import { vi } from 'vitest';

export interface StillClock {
  advance(ms: number): void;
}

/**
 * Monotonic time (`performance.now`) stops until the test ends, except where the test advances it; timers run.
 * So a time limit passes when the test says so, however slow the machine is.
 */
export function stillClock(): StillClock {
  // Whole milliseconds, so that their differences are exact.
  let nowMs = Math.ceil(performance.now());
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return {
    advance(ms) {
      nowMs += ms;
    },
  };
}
