/**
 * Spreads the openings of each address: each costs a handshake and a whole first frame, so many in one moment would delay
 * everyone else. The first fifth of a rate is free, the rest is due one after the other.
 */
export interface OpeningPace {
  /** Counts an opening. @returns milliseconds until it is due; null: too many wait already, and it is not counted */
  waitMs(address: string): number | null;
}

const PERIOD_MS = 10_000;
const FREE_SHARE = 0.2;
const LONGEST_MS = 10_000;

/** @param most  openings of one address in ten seconds */
export function openingPace(most: number, nowMs: () => number = () => performance.now()): OpeningPace {
  const intervalMs = PERIOD_MS / most;
  const freeMs = Math.max(1, Math.floor(most * FREE_SHARE)) * intervalMs;
  /** By address: when its next opening would be due if none were free. */
  const dueMs = new Map<string, number>();
  let sweptMs = nowMs();

  function sweep(atMs: number): void {
    if (atMs - sweptMs < PERIOD_MS) return;
    sweptMs = atMs;
    for (const [address, due] of dueMs) if (due <= atMs) dueMs.delete(address);
  }

  return {
    waitMs(address) {
      const atMs = nowMs();
      sweep(atMs);
      const next = Math.max(atMs, dueMs.get(address) ?? 0) + intervalMs;
      const waitMs = Math.max(0, next - atMs - freeMs);
      if (waitMs > LONGEST_MS) return null;
      dueMs.set(address, next);
      return waitMs;
    },
  };
}
