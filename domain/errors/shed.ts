/** How an overloaded server refuses requests before it starts any work, and how clients retry. */

/** Marks a 503 sent before any work: whatever the method, the client may resend the request, to any process. */
export const SHED_HEADER = 'x-kat-shed';

/** The classes of work that an overloaded process limits separately. */
export const WORK_CLASSES = ['stream', 'call', 'sign-up', 'page', 'file', 'socket', 'payment'] as const;
export type WorkClass = (typeof WORK_CLASSES)[number];

/** Clients add up to this share of Retry-After, so that a crowd does not return at one moment. */
const JITTER_SHARE = 0.5;
/** Longest wait, whatever the header says. */
const MAX_RETRY_MS = 60_000;
const USUAL_RETRY_MS = 2000;

/** @param retryAfterS  null or invalid: two seconds @returns milliseconds, 100 to 150% of the requested delay */
export function retryDelayMs(retryAfterS: number | null, random: () => number): number {
  const isUsable = retryAfterS !== null && Number.isFinite(retryAfterS) && retryAfterS >= 0;
  const retryAfterMs = isUsable ? Math.min(MAX_RETRY_MS, retryAfterS * 1000) : USUAL_RETRY_MS;
  return retryAfterMs * (1 + JITTER_SHARE * random());
}
