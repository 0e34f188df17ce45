/** A leader without venue data for a while lets another process lead: only its own network path may be at fault. */
import { MINUTE_S } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import type { Leadership } from '../../platform/processes/leadership.ts';
import type { FeedState } from '../market-state.ts';

export interface GiveWayTiming {
  /** Longer than a venue takes to return after a restart, including connecting. */
  blindMs: number;
  /** During an outage of the venue no process has data, and passing the lead around does not help. */
  cooldownMs: number;
  checkMs: number;
}

const TIMING: GiveWayTiming = { blindMs: 20_000, cooldownMs: 300_000, checkMs: 1000 };

/** @param hasFreshData  true while some venue data is fresh. @returns stops watching */
export function giveWayWhenBlind(
  leadership: Pick<Leadership, 'term' | 'giveWay'>,
  hasFreshData: () => boolean,
  timing: GiveWayTiming = TIMING,
): () => void {
  let blindSinceMs: number | null = null;
  let notBeforeMs = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    if (leadership.term === null || hasFreshData()) {
      blindSinceMs = null;
      return;
    }
    blindSinceMs ??= nowMs;
    if (nowMs - blindSinceMs < timing.blindMs || nowMs < notBeforeMs) return;
    notBeforeMs = nowMs + timing.cooldownMs;
    void leadership.giveWay();
  }, timing.checkMs).unref();
  return () => clearInterval(timer);
}

/** Symbols traded day and night: only their silence is a sign of a fault. */
const ALWAYS = new Set<string | null>(SYMBOLS.filter(({ hours }) => hours === 'always').map(({ label }) => label));
/** Age of the newest closed candle at which two later ones are missing. */
const OLD_S = 2 * MINUTE_S;

/** False when calls fail and no symbol traded around the clock is fresh; an unrequested symbol says nothing. */
export function hasFreshCandles(feeds: readonly Pick<FeedState, 'subject' | 'ageS' | 'failures'>[]): boolean {
  const open = feeds.filter(({ subject }) => ALWAYS.has(subject));
  return open.every(({ failures }) => failures === 0) || open.some(({ ageS }) => ageS !== null && ageS <= OLD_S);
}
