/**
 * Delays answers to clients that request again too early, refusals above all: those beyond fifty in five seconds are sent
 * 0.4 s later.
 */

export interface EarlyRetries {
  /** Counts an answer. @returns milliseconds by which to delay it; 0 for no delay */
  delayMs(owner: string | null): number;
}

/** How many answers may be delayed at the same time: each holds a connection. */
const MOST_HELD = 5000;
/** Answers per owner and period without a delay, enough for an office that shares one address. */
const FREE = 50;
const PERIOD_MS = 5000;
/** Short enough that each is still sent within a second. */
const DELAY_MS = 400;
/** Owners remembered per period; the limit keeps a flood of addresses from filling memory. */
const MAX_OWNERS = 10_000;

export interface LateAnswers {
  /** Sends the answer now, or late to an owner that requests too early. */
  send(owner: string | null, answer: () => void): void;
}

export function lateAnswers(nowMs: () => number): LateAnswers {
  const retries = earlyRetries(nowMs);
  let held = 0;
  return {
    send(owner, answer) {
      const delayMs = held < MOST_HELD ? retries.delayMs(owner) : 0;
      if (delayMs === 0) {
        answer();
        return;
      }
      held += 1;
      setTimeout(() => {
        held -= 1;
        answer();
      }, delayMs).unref();
    },
  };
}

export function earlyRetries(nowMs: () => number): EarlyRetries {
  const refused = new Map<string, number>();
  let endsMs = nowMs() + PERIOD_MS;
  return {
    delayMs(owner) {
      if (owner === null) return 0;
      if (nowMs() >= endsMs) {
        // Halves the count, so a client that continues gets fewer without a delay. The 1 keeps half the cap above FREE.
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
