/**
 * A refusal with SHED_HEADER (503) means that nothing was done, so a request of any method is safe to repeat. Other
 * refusals that name a time are repeated only for reads.
 */
import { retryDelayMs, SHED_HEADER } from '#domain/errors/shed.ts';
import { pause } from '#domain/time/deadline.ts';
import { pageState } from '../../page-state.ts';
import { extendLimit, noteAnswer } from './time-limit.ts';

/** No retry but the first one starts later than this after the first try. */
const CALL_WAIT_MS = 12_000;
/** The first time that a server names is waited out if it is at most this long; users see what they saw before. */
const FIRST_WAIT_MS = 30_000;
const CALL_RETRIES = 3;
const JUST_MS = 1000;

/** For a request that the user is ready to wait for, with any number of retries. */
export interface Patience {
  /** No try starts after this, by `performance.now()`. */
  untilMs: number;
  /** Called before each wait but the first, which is seldom in vain. */
  onWait(): void;
}

const state = pageState(() => ({ gaveUpAtMs: Number.NEGATIVE_INFINITY }));

/**
 * @param init  a body that is a stream can't be sent twice: its refusal is returned immediately
 * @param patience  without it: at most three retries, the last ones within 12 seconds
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
    noteAnswer();
    if (!isWorthRetrying(response, init)) return response;
    const delayMs = retryDelayMs(Number(response.headers.get('retry-after') ?? Number.NaN), Math.random);
    const isLast = isSentOnce || (!patience && tries === CALL_RETRIES);
    const isTooLong = tries === 0 ? delayMs > FIRST_WAIT_MS : performance.now() + delayMs > untilMs;
    if (isLast || isTooLong) {
      page.gaveUpAtMs = performance.now();
      return response;
    }
    if (tries > 0) patience?.onWait();
    extendLimit(init?.signal, delayMs);
    await pause(delayMs, init?.signal);
  }
}

function isWorthRetrying({ status, headers }: Response, init?: RequestInit): boolean {
  if (status !== 503) return false;
  const isRead = init?.method === undefined || init.method === 'GET' || init.method === 'HEAD';
  return headers.has(SHED_HEADER) || (isRead && headers.has('retry-after'));
}

/** True right after giving up on a shed request: another layer of retries would only multiply them. */
export function hasJustStoppedRetrying(): boolean {
  return performance.now() - state().gaveUpAtMs < JUST_MS;
}
