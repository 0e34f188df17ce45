/** Delays between reconnects: 1 s, doubling, up to 10 s, with full jitter. Specification 2, section 4.6. */
export const RECONNECT_FIRST_MS = 1000;
export const RECONNECT_MAX_MS = 10_000;

/**
 * @param attempt  0 for the first retry
 * @param random   a number in [0, 1); full jitter keeps many clients from returning together
 * @returns milliseconds to wait, at least a tenth of the full delay
 */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(RECONNECT_MAX_MS, RECONNECT_FIRST_MS * 2 ** Math.max(0, Math.min(attempt, 30)));
  return fullMs * (0.1 + 0.9 * random());
}
