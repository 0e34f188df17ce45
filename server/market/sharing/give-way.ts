/** A leader that has seen nothing of the venue for a while lets another process try: the way there may be its own alone. */
import type { Leadership } from '../../platform/leadership.ts';

export interface GiveWayTiming {
  /** Longer than a venue takes to come back from a restart, connecting included. */
  blindMs: number;
  /** Where the venue itself is away all are blind, and handing the lead around helps nobody. */
  againMs: number;
  lookMs: number;
}

const TIMING: GiveWayTiming = { blindMs: 20_000, againMs: 300_000, lookMs: 1000 };

/** @param sees  something of the venue is fresh. @returns ends it */
export function giveWayWhenBlind(
  leadership: Pick<Leadership, 'term' | 'giveWay'>,
  sees: () => boolean,
  timing: GiveWayTiming = TIMING,
): () => void {
  let blindSinceMs: number | null = null;
  let notBeforeMs = 0;
  const looking = setInterval(() => {
    const nowMs = performance.now();
    if (leadership.term === null || sees()) {
      blindSinceMs = null;
      return;
    }
    blindSinceMs ??= nowMs;
    if (nowMs - blindSinceMs < timing.blindMs || nowMs < notBeforeMs) return;
    notBeforeMs = nowMs + timing.againMs;
    void leadership.giveWay();
  }, timing.lookMs).unref();
  return () => clearInterval(looking);
}
