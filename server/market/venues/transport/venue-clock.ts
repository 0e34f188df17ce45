/**
 * The venue's own time, extrapolated from its last message. A sandbox market may run faster than the wall clock, so the
 * pace is measured too; a pace within 2% of 1 counts as 1, as at every real venue.
 */
import type { Clock } from '#domain/time/clock.ts';

export interface VenueClock extends Clock {
  /** Takes in a time that the venue reported, milliseconds. */
  observe(venueMs: number): void;
}

/** A pace measured over less than this is noise. */
const MIN_SPAN_MS = 500;
/** The pace is measured over about this long, so that the effect of a clock change passes. */
const MAX_SPAN_MS = 60_000;
const MAX_PACE = 10_000;
/** A message may be this late; one with an even earlier time means that the venue's clock was set back. */
const MAX_LATENESS_MS = 2000;

interface Sample {
  localMs: number;
  venueMs: number;
}

/** Uses our own time until the venue's first message. */
export function venueClock(clock: Clock): VenueClock {
  let anchor: Sample | null = null;
  let last: Sample | null = null;
  let pace = 1;

  function observe(venueMs: number): void {
    const now: Sample = { localMs: clock.nowMs(), venueMs };
    const isSetBack = last !== null && (now.localMs < last.localMs || venueMs < last.venueMs - MAX_LATENESS_MS);
    if (anchor === null || isSetBack) {
      anchor = now;
      pace = 1;
    }
    const spanMs = now.localMs - anchor.localMs;
    if (spanMs >= MIN_SPAN_MS) pace = sensiblePace((venueMs - anchor.venueMs) / spanMs);
    if (spanMs >= MAX_SPAN_MS) anchor = now;
    last = now;
  }

  return {
    observe,
    nowMs() {
      const localMs = clock.nowMs();
      // May go backwards: a sandbox market uses our clock, and a real one corrects us with its next message.
      return last === null ? localMs : last.venueMs + (localMs - last.localMs) * pace;
    },
  };
}

function sensiblePace(pace: number): number {
  if (!(pace > 0) || pace > MAX_PACE) return 1;
  return Math.abs(pace - 1) < 0.02 ? 1 : pace;
}
