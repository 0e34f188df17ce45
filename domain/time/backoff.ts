/** Delays between reconnects: 1 s, doubling, up to 10 s, less a random part (R-BOOK-7). */
export const RECONNECT_FIRST_MS = 1000;
export const RECONNECT_MAX_MS = 10_000;

/**
 * Smallest share of a step. Eighteen waits at full length take 1 + 2 + 4 + 8 + 14 × 10 = 155 s, so from 120 / 155 =
 * 77.5% on, a nineteenth connection falls outside the first two minutes even if every wait is the shortest. At two
 * thirds there could be 21.
 */
const LEAST_SHARE = 0.78;

/** @param attempt  0 for the first retry @returns milliseconds, 78 to 100% of the step */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(RECONNECT_MAX_MS, RECONNECT_FIRST_MS * 2 ** Math.max(0, Math.min(attempt, 30)));
  return fullMs * (LEAST_SHARE + (1 - LEAST_SHARE) * random());
}
