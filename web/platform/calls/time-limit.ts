/**
 * Time limit of every call: a server that accepts a request and never answers counts as unreachable. One that answers
 * other requests meanwhile is only slow, and the call may take longer.
 */
import { pause, unlessAborted } from '#domain/time/deadline.ts';
import { pageState } from '../../page-state.ts';

/** Long enough for a slow phone, short enough that users don't wonder about skeletons. */
export const CALL_LIMIT_MS = 15_000;
/** The limit while the server answers other requests. */
const SLOW_LIMIT_MS = 60_000;
/** How long before the limit the page checks that the server answers. A slow host needs seconds for any answer. */
const CHECK_MS = 10_000;
/** Answered without a database or a queue. */
const CHECK_PATH = '/healthz';

/** Calls that begin together share a check: a slow host must not get one for each. */
const SHARED_MS = 2000;

const state = pageState(() => ({ answeredAtMs: Number.NEGATIVE_INFINITY, checkedAtMs: Number.NEGATIVE_INFINITY }));

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
  const page = state();
  const over = new AbortController();
  let [moreMs, slowMs] = [0, SLOW_LIMIT_MS];
  extensions.set(limited, (ms) => {
    moreMs += ms;
  });
  const endAfter = (ms: number): void => {
    moreMs = 0;
    let checkedAtMs = Number.POSITIVE_INFINITY;
    void checkServer(ms - CHECK_MS, over.signal, (sentAtMs) => {
      checkedAtMs = sentAtMs;
    });
    const timeout = AbortSignal.timeout(Math.ceil(ms));
    const onEnd = (): void => {
      slowMs -= CALL_LIMIT_MS;
      if (moreMs === 0 && slowMs > 0 && page.answeredAtMs >= checkedAtMs) moreMs = CALL_LIMIT_MS;
      if (moreMs > 0) endAfter(moreMs);
      else limit.abort(timeout.reason);
    };
    if (timeout.aborted) onEnd();
    else timeout.addEventListener('abort', onEnd, { once: true });
  };
  endAfter(CALL_LIMIT_MS);
  try {
    limited.throwIfAborted();
    return await unlessAborted(call(limited), limited);
  } finally {
    over.abort();
  }
}

/**
 * The same, but no answer to another request gives it more time: for a check of the server, and for other services.
 * @throws DOMException `TimeoutError`
 */
export async function inFixedTime<T>(signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(CALL_LIMIT_MS)]);
  limited.throwIfAborted();
  return unlessAborted(call(limited), limited);
}

/** Call for any answer of the server, also a refusal. */
export function noteAnswer(): void {
  state().answeredAtMs = performance.now();
}

async function checkServer(afterMs: number, over: AbortSignal, onCheck: (sentAtMs: number) => void): Promise<void> {
  const page = state();
  // The call that sent it may end first, while others still wait for its answer.
  const hanging = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await pause(afterMs, over);
    const isShared = performance.now() - page.checkedAtMs < SHARED_MS;
    if (!isShared) page.checkedAtMs = performance.now();
    onCheck(page.checkedAtMs);
    if (isShared) return;
    timer = setTimeout(() => hanging.abort(), CALL_LIMIT_MS);
    const { ok } = await fetch(CHECK_PATH, { cache: 'no-store', signal: hanging.signal });
    if (ok) noteAnswer();
  } catch {
    // The call is over, or the server can't be reached: the limit then ends the call.
  } finally {
    clearTimeout(timer);
  }
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
