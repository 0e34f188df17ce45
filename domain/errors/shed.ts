/** What an overloaded server refuses before it begins any work, and how clients come back. */

/**
 * Header of a refusal (503 `server/busy`, with `Retry-After`) that came before anything was done: whatever the method,
 * the request may be sent again, to this process or to another one.
 */
export const SHED_HEADER = 'x-kat-shed';

/** The classes of work that an overloaded process tells apart. */
export const WORK_CLASSES = ['stream', 'call', 'sign-up', 'page', 'file', 'socket'] as const;
export type WorkClass = (typeof WORK_CLASSES)[number];

/** Clients add up to this share of what Retry-After says, so that a crowd does not come back at one moment. */
const JITTER_SHARE = 0.5;
/** Whatever a header says, no client waits longer. */
const MAX_RETRY_MS = 60_000;
const USUAL_RETRY_MS = 2000;

/**
 * @param retryAfterS  as the header says it; null or no number: two seconds
 * @param random  a number in [0, 1)
 * @returns milliseconds until the request may be sent again, 100 to 150 % of what was asked for
 */
export function retryDelayMs(retryAfterS: number | null, random: () => number): number {
  const isUsable = retryAfterS !== null && Number.isFinite(retryAfterS) && retryAfterS >= 0;
  const toldMs = isUsable ? Math.min(MAX_RETRY_MS, retryAfterS * 1000) : USUAL_RETRY_MS;
  return toldMs * (1 + JITTER_SHARE * random());
}
