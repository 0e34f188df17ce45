/** A leader that has seen nothing of the venue for a while lets another process try: the way there may be its own alone. */
import { MINUTE_S } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import type { Leadership } from '../../platform/processes/leadership.ts';
import type { FeedState } from '../market-state.ts';

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

/** Traded day and night: of them silence says something. */
const ALWAYS = new Set<string | null>(SYMBOLS.filter(({ hours }) => hours === 'always').map(({ label }) => label));
/** Of the newest closed candle: two that should have followed have not come. */
const OLD_S = 2 * MINUTE_S;

/**
 * False when venues are asked in vain and no candle of any symbol that is always traded is fresh. One venue that is away
 * is made up for by the others; what nobody asks for is no sign of anything.
 */
export function seesCandles(feeds: readonly Pick<FeedState, 'subject' | 'ageS' | 'failures'>[]): boolean {
  const told = feeds.filter(({ subject }) => ALWAYS.has(subject));
  return told.every(({ failures }) => failures === 0) || told.some(({ ageS }) => ageS !== null && ageS <= OLD_S);
}
