/** Time limit of every call: a server that accepts a request and never answers counts as unreachable. */
import { unlessAborted } from '#domain/time/deadline.ts';

/** Long enough for a slow phone, short enough that users don't wonder about skeletons. */
export const CALL_LIMIT_MS = 15_000;

/**
 * @returns the call's result; rejects at the limit even if the call ignores its signal
 * @throws DOMException `TimeoutError`
 */
export async function inTime<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CALL_LIMIT_MS)]);
  limited.throwIfAborted();
  return unlessAborted(call(limited), limited);
}

/** True for a timeout error: the next try would take as long again. */
export function isTooLate(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('name' in error && error.name === 'TimeoutError') return true;
  return 'cause' in error && isTooLate(error.cause);
}
