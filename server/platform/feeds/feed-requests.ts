/**
 * Calls a reference feed under one policy for all feeds. Calls are few at a time, and bounded in duration and size. A
 * call is tried up to three times, and only if a retry may help. Calls pause while the feed requests it or keeps
 * failing. Identical requests share one call, and are conditional where the feed supports it.
 */
import type * as z from 'zod/mini';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { pause } from '#domain/time/deadline.ts';
import { readBounded, readRetryAfterMs } from '../outbound/foreign-answer.ts';
import { sharedCall } from '../shared-call.ts';
import type { Logger } from '../telemetry/log.ts';
import { step } from '../telemetry/steps.ts';
import { REFUSAL_PAUSE_MS, type ReadRefusal } from './body-refusal.ts';
import { tokenBucket } from './token-bucket.ts';

export interface FeedRequestsOptions {
  /** Without a trailing slash. */
  baseUrl: string;
  /** API keys. They are never logged, and never sent anywhere else because redirects are refused. */
  headers?: Readonly<Record<string, string>>;
  log: Logger;
  /** Burst size, and how many calls are refilled per minute. Default 5 and 20. */
  bucket?: { size: number; perMinute: number };
  /** Counts one call before it is made. @throws AppError when the allowance is spent; then no call is made */
  spend?: () => Promise<void>;
  /** For services that refuse in the body of an answer with status 200. */
  readRefusal?: ReadRefusal;
  timeoutMs?: number;
  maxBytes?: number;
  fetch?: typeof fetch | undefined;
  random?: (() => number) | undefined;
  /** Monotonic milliseconds. A test passes its own clock together with its own `wait`. */
  monotonicMs?: (() => number) | undefined;
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface FeedQuestion<T> {
  /** With its leading slash; empty if the base address is already complete. */
  path: string;
  query?: Readonly<Record<string, string | number>>;
  /** Parses the body. If it throws, the call fails. */
  read(body: string): T;
}

/**
 * Sends the request; callers that arrive while it is in progress share its result.
 * @throws AppError `venue/unavailable`, with `retryAfterS` while calls are paused; the signal's reason on abort
 */
export type FeedRequest<T> = (signal: AbortSignal) => Promise<T>;

export interface FeedRequests {
  question<T>(question: FeedQuestion<T>): FeedRequest<T>;
}

const TIMEOUT_MS = 8000;
const MAX_BYTES = 2 << 20;
const MAX_TRIES = 3;
const FIRST_RETRY_MS = 500;
/** If a feed requests a longer pause, the call is left to the schedule's next run. */
const MAX_WAIT_MS = 10_000;
const MAX_FAILURES = 5;
const OPEN_MS = 300_000;

interface Tagged {
  conditions: Record<string, string>;
  body: string;
}

/** One failed try. `retryAfterMs`: how long the feed wants no calls. */
class TryFailed extends Error {
  override readonly name = 'TryFailed';
  readonly mayTryAgain: boolean;
  readonly retryAfterMs: number | null;

  constructor(reason: string, mayTryAgain: boolean, retryAfterMs: number | null = null, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
    this.mayTryAgain = mayTryAgain;
    this.retryAfterMs = retryAfterMs;
  }
}

export function feedRequests(options: FeedRequestsOptions): FeedRequests {
  const { baseUrl, headers = {}, log, spend, readRefusal, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const { random = Math.random, monotonicMs = () => performance.now(), wait = pause } = options;
  const send = options.fetch ?? fetch;
  const { host } = new URL(baseUrl);
  const bucket = tokenBucket({ ...(options.bucket ?? { size: 5, perMinute: 20 }), monotonicMs });
  let failures = 0;
  let heldFor: TryFailed | undefined;
  let heldUntilMs = Number.NEGATIVE_INFINITY;

  function requireFree(): void {
    const heldMs = heldUntilMs - monotonicMs();
    if (heldMs > 0) throw unavailable('held back', heldMs, heldFor);
  }

  function countFailure(failure: TryFailed): void {
    failures += 1;
    if (failures >= MAX_FAILURES) hold(OPEN_MS, failure);
    const { retryAfterMs, mayTryAgain } = failure;
    if (retryAfterMs !== null && (retryAfterMs > MAX_WAIT_MS || !mayTryAgain)) hold(retryAfterMs, failure);
  }

  function hold(pauseMs: number, failure: TryFailed): void {
    heldFor = failure;
    heldUntilMs = Math.max(heldUntilMs, monotonicMs() + pauseMs);
    log.warn({ feed: baseUrl, pauseMs, reason: failure.message }, 'calls to a feed paused');
  }

  /** Waits for a slot. @throws AppError when that would take too long */
  async function takeTurn(signal: AbortSignal): Promise<void> {
    for (;;) {
      requireFree();
      const emptyMs = bucket.take();
      if (emptyMs === 0) return;
      if (emptyMs > MAX_WAIT_MS) throw unavailable('our own call limit was reached', emptyMs);
      await wait(emptyMs, signal);
    }
  }

  async function fetchWithRetries<T>(fetchOnce: FeedRequest<T>, path: string, signal: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      await takeTurn(signal);
      await spend?.();
      try {
        const value = await step({ kind: 'feed', name: host }, () => fetchOnce(signal));
        failures = 0;
        return value;
      } catch (error) {
        signal.throwIfAborted();
        const failure = error instanceof TryFailed ? error : new TryFailed(nameOf(error), true, null, error);
        countFailure(failure);
        log.warn({ feed: baseUrl, path, reason: failure.message, tries }, 'a feed did not answer');
        const heldMs = heldUntilMs - monotonicMs();
        if (!failure.mayTryAgain || tries >= MAX_TRIES || heldMs > 0)
          throw unavailable(failure.message, heldMs, failure);
        await wait(failure.retryAfterMs ?? FIRST_RETRY_MS * 2 ** (tries - 1) * random(), signal);
      }
    }
  }

  function question<T>({ path, query = {}, read }: FeedQuestion<T>): FeedRequest<T> {
    const url = new URL(baseUrl + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    let known: Tagged | null = null;

    async function fetchOnce(signal: AbortSignal): Promise<T> {
      const response = await send(url, {
        headers: { accept: 'application/json', 'user-agent': 'kat', ...headers, ...known?.conditions },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        redirect: 'error',
      });
      const body = await readBounded(response, maxBytes);
      if (response.status === 304 && known !== null) return readOrRefuse(known.body, read, readRefusal);
      if (response.status !== 200) throw refusedBy(response);
      const value = readOrRefuse(body, read, readRefusal);
      known = { conditions: conditionsOf(response), body };
      return value;
    }

    return sharedCall((signal) => fetchWithRetries(fetchOnce, path, signal));
  }

  return { question };
}

function refusedBy({ status, headers }: Response): TryFailed {
  return new TryFailed(
    `status ${status}`,
    status === 429 || status >= 500,
    readRetryAfterMs(headers.get('retry-after')),
  );
}

/** A retry would not help where the response is broken, or not in the known format. */
function readOrRefuse<T>(body: string, read: (body: string) => T, readRefusal: ReadRefusal | undefined): T {
  try {
    return read(body);
  } catch (error) {
    const refusal = readRefusal?.(parsedJson(body)) ?? null;
    if (refusal === null) throw new TryFailed('unexpected response', false, null, error);
    const { reason, kind } = refusal;
    throw new TryFailed(reason.slice(0, 200), kind === 'failing', REFUSAL_PAUSE_MS[kind] ?? null, error);
  }
}

/** Empty if the feed sends no validators, so that every response is sent in full. */
function conditionsOf({ headers }: Response): Record<string, string> {
  const [etag, lastModified] = [headers.get('etag'), headers.get('last-modified')];
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

function unavailable(reason: string, heldMs: number, cause?: unknown): AppError {
  const retryAfterS = Math.ceil(heldMs / 1000);
  return new AppError('venue/unavailable', { details: { reason, ...(heldMs > 0 ? { retryAfterS } : {}) }, cause });
}

function nameOf(error: unknown): string {
  return isAppError(error) ? error.code : error instanceof Error ? error.name : 'unknown';
}

/** @returns a function that reads a body. @throws SyntaxError for invalid JSON, ZodError for another shape */
export function jsonOf<T>(schema: z.ZodMiniType<T>): (body: string) => T {
  return (body) => {
    const json: unknown = JSON.parse(body);
    return schema.parse(json);
  };
}
