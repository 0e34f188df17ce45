/**
 * Whoever asks again and again although told to wait is answered slowly: each answer then costs the process little, and
 * one connection can ask for fewer than three refusals a second.
 */

export interface Impatience {
  /** Counts a refusal. @returns how long its answer should wait, milliseconds; 0: not at all */
  delayMs(owner: string | null): number;
}

/** Of one address within a period: as many as an office of people may well have. */
const FREE = 50;
const PERIOD_MS = 5000;
/** A refusal is answered within a second all the same. */
const DELAY_MS = 400;
/** Owners that are remembered in a period: a flood of addresses holds no memory. */
const MAX_OWNERS = 10_000;

export function impatience(nowMs: () => number): Impatience {
  const refused = new Map<string, number>();
  let endsMs = nowMs() + PERIOD_MS;
  return {
    delayMs(owner) {
      if (owner === null) return 0;
      if (nowMs() >= endsMs) {
        // Halved and not forgotten: who goes on stays slow.
        for (const [key, count] of refused) {
          if (count > FREE) refused.set(key, Math.min(count, 2 * FREE) / 2 + 1);
          else refused.delete(key);
        }
        endsMs = nowMs() + PERIOD_MS;
      }
      const count = refused.get(owner) ?? 0;
      if (count > 0 || refused.size < MAX_OWNERS) refused.set(owner, count + 1);
      return count >= FREE ? DELAY_MS : 0;
    },
  };
}
