/** How long a symbol's venue has sent nothing. A symbol may be quiet for minutes, but one of all that it trades is not. */
import type { ServedUpdate } from '../venues/venue.ts';

/** A venue that streams open candles sends some of them every second. */
const STREAM_MS = 15_000;
/** Others send a candle once it has closed. */
const CLOSED_ONLY_MS = 90_000;

interface Venue {
  messageAtMs: number;
  openAtMs: number;
}

export interface VenueSilence {
  take(update: ServedUpdate): void;
  /** Milliseconds, or 0 while the venue is not late, or has not sent anything of the symbol yet. */
  idleMs(sym: string): number;
}

/** @param nowMs  monotonic; a test passes its own */
export function venueSilence(nowMs: () => number = () => performance.now()): VenueSilence {
  const venues = new Map<string, Venue>();
  const venueOf = new Map<string, string>();
  return {
    take({ symbol, isClosed, venueId }) {
      venueOf.set(symbol.sym, venueId);
      const messageAtMs = nowMs();
      const openAtMs = isClosed ? (venues.get(venueId)?.openAtMs ?? Number.NEGATIVE_INFINITY) : messageAtMs;
      venues.set(venueId, { messageAtMs, openAtMs });
    },
    idleMs(sym) {
      const venue = venues.get(venueOf.get(sym) ?? '');
      if (venue === undefined) return 0;
      const idleMs = nowMs() - venue.messageAtMs;
      const isStream = venue.messageAtMs - venue.openAtMs < CLOSED_ONLY_MS;
      return idleMs > (isStream ? STREAM_MS : CLOSED_ONLY_MS) ? idleMs : 0;
    },
  };
}
