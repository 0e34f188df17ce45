/** Time limit of every call: a server that accepts a request and never answers counts as unreachable. */
import { unlessAborted } from '#domain/time/deadline.ts';

/** Long enough for a slow phone, short enough that users don't wonder about skeletons. */
export const CALL_LIMIT_MS = 15_000;

/** By the signal that the call received: gives it more time. */
const extensions = new WeakMap<AbortSignal, (ms: number) => void>();

/**
 * @returns the call's result; rejects at the limit even if the call ignores its signal
 * @throws DOMException `TimeoutError`
 */
export async function inTime<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const limited = AbortSignal.any([signal, limit.signal]);
  let moreMs = 0;
  extensions.set(limited, (ms) => {
    moreMs += ms;
  });
  const endAfter = (ms: number): void => {
    const timeout = AbortSignal.timeout(ms);
    const onEnd = (): void => {
      if (moreMs === 0) {
        limit.abort(timeout.reason);
        return;
      }
      endAfter(moreMs);
      moreMs = 0;
    };
    if (timeout.aborted) onEnd();
    else timeout.addEventListener('abort', onEnd, { once: true });
  };
  endAfter(CALL_LIMIT_MS);
  limited.throwIfAborted();
  return unlessAborted(call(limited), limited);
}

/** For a wait that an overloaded server requested. */
export function extendLimit(signal: AbortSignal | null | undefined, ms: number): void {
  if (signal) extensions.get(signal)?.(ms);
}

/** True for a timeout error: the next try would take as long again. */
export function isTooLate(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('name' in error && error.name === 'TimeoutError') return true;
  return 'cause' in error && isTooLate(error.cause);
}
