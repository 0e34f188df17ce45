/** No call waits for ever: a server that takes a request and never answers is told like one that is gone. */

/** Long enough for a slow phone, short enough that nobody looks at grey shapes and wonders. */
export const CALL_LIMIT_MS = 15_000;

/**
 * @param call  gets a signal that ends it after 15 seconds, or when `signal` does
 * @returns what the call returns; it rejects at the limit even where the call overlooks its signal
 * @throws DOMException `TimeoutError`
 */
export async function inTime<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CALL_LIMIT_MS)]);
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(limited.reason);
  limited.addEventListener('abort', end, { once: true });
  try {
    limited.throwIfAborted();
    return await Promise.race([call(limited), ended.promise]);
  } finally {
    limited.removeEventListener('abort', end);
  }
}

/** True for an error that stands for a limit that was reached: the next try would be as long again. */
export function isTooLate(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('name' in error && error.name === 'TimeoutError') return true;
  return 'cause' in error && isTooLate(error.cause);
}
