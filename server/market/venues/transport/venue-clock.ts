/**
 * The venue's own time, estimated between what it last said and now. A sandbox market may run faster than the wall
 * clock, so the pace is measured too; a pace within a fiftieth of 1 is 1, as at every real venue.
 */
import type { Clock } from '#domain/time/clock.ts';

export interface VenueClock extends Clock {
  /** The venue said this is its time, milliseconds. */
  observe(venueMs: number): void;
}

/** A pace measured over less than this is noise. */
const MIN_SPAN_MS = 500;
/** The pace is measured over about this long, so that a moved clock is forgotten. */
const MAX_SPAN_MS = 60_000;
const MAX_PACE = 10_000;
/** A message may come this late; one that says an earlier time than that tells of a clock that was set back. */
const MAX_LATENESS_MS = 2000;

interface Sample {
  localMs: number;
  venueMs: number;
}

/** Until the venue has spoken it is taken to keep our own time. */
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
      // Backwards too: a sandbox market keeps our clock, and a real one corrects us with its next message.
      return last === null ? localMs : last.venueMs + (localMs - last.localMs) * pace;
    },
  };
}

function sensiblePace(pace: number): number {
  if (!(pace > 0) || pace > MAX_PACE) return 1;
  return Math.abs(pace - 1) < 0.02 ? 1 : pace;
}
