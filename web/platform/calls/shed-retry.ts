/** A refusal with SHED_HEADER (503) means that nothing was done, so a request of any method is safe to repeat. */
import { retryDelayMs, SHED_HEADER } from '#domain/errors/shed.ts';
import { pause } from '#domain/time/deadline.ts';
import { pageState } from '../../page-state.ts';

/** Calls end after 15 seconds (time-limit.ts). The last try has at least three of them for its answer. */
const CALL_WAIT_MS = 12_000;
const CALL_RETRIES = 3;
const JUST_MS = 1000;

/** For a request that the user is ready to wait for, with any number of retries. */
export interface Patience {
  /** No try starts after this, by `performance.now()`. */
  untilMs: number;
  onWait(): void;
}

const state = pageState(() => ({ gaveUpAtMs: Number.NEGATIVE_INFINITY }));

/**
 * @param init  a body that is a stream can't be sent twice: its refusal is returned immediately
 * @param patience  without it: at most three retries within 12 seconds
 * @throws the signal's reason, also while it waits
 */
export async function retryingFetch(
  input: RequestInfo | URL,
  init?: RequestInit,
  patience?: Patience,
): Promise<Response> {
  const page = state();
  const untilMs = patience?.untilMs ?? performance.now() + CALL_WAIT_MS;
  const isSentOnce = init?.body instanceof ReadableStream;
  for (let tries = 0; ; tries++) {
    const response = await fetch(input, init);
    const { status, headers } = response;
    if (status !== 503 || !headers.has(SHED_HEADER)) return response;
    const delayMs = retryDelayMs(Number(headers.get('retry-after') ?? Number.NaN), Math.random);
    const isLast = isSentOnce || (!patience && tries === CALL_RETRIES);
    if (isLast || performance.now() + delayMs > untilMs) {
      page.gaveUpAtMs = performance.now();
      return response;
    }
    patience?.onWait();
    await pause(delayMs, init?.signal);
  }
}

/** True right after giving up on a shed request: another layer of retries would only multiply them. */
export function hasJustStoppedRetrying(): boolean {
  return performance.now() - state().gaveUpAtMs < JUST_MS;
}
