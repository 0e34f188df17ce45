/**
 * A ban grows with each call made during it, so after a refusal the next callers cause none. Products that visitors
 * choose have separate calls, so that they cannot silence a venue for the ten symbols.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { unlessAborted } from '#domain/time/deadline.ts';
import { type BodyRefusal, REFUSAL_PAUSE_MS, type ReadRefusal } from '../../../platform/feeds/body-refusal.ts';
import type { RateLimit } from '../../../platform/http/guards/rate-limit.ts';
import { readBounded, readRetryAfterMs } from '../../../platform/outbound/foreign-answer.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import { step } from '../../../platform/telemetry/steps.ts';
import { venueTurns, type WaitingCalls } from './venue-turns.ts';

export interface VenueRequestOptions {
  baseUrl: string;
  log: Logger;
  fetch?: typeof fetch | undefined;
  timeoutMs?: number | undefined;
  /** Monotonic milliseconds; a test passes its own. */
  monotonicMs?: (() => number) | undefined;
  /** For services that refuse in the body of an answer. */
  readRefusal?: ReadRefusal | undefined;
  /** Sent with every call: keys, and a user agent. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface VenueRequests {
  /** @throws AppError `venue/unavailable`, with `retryAfterS` while calls are paused; the signal's reason on abort */
  getJson(path: string, query: Query, signal: AbortSignal): Promise<unknown>;
  /** The same for an answer that is not a single JSON value; an error of `read` counts as an outage. */
  get<T>(path: string, query: Query, signal: AbortSignal, read: (text: string) => T): Promise<T>;
}

type Query = Readonly<Record<string, string | number>>;

const TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 4 << 20;
/** Failures in a row before calls are paused, for a second at first, doubling. */
const MAX_FAILURES = 3;
const MAX_PAUSE_MS = 30_000;
/** Pauses without a `retry-after`: too many calls, banned for it, a wrong key, a blocked country or address. */
const PAUSE_MS: Readonly<Record<number, number>> = {
  429: 10_000,
  418: 120_000,
  401: 600_000,
  403: 600_000,
  451: 600_000,
};

/** A venue that bans this address or key bans it for every call. */
interface Ban {
  untilMs: number;
}

/** Statuses of a ban; kinds of refusals in a body. */
const BANS: readonly (number | BodyRefusal['kind'])[] = [418, 401, 403, 451, 'banned'];

/** Calls of products beside the ten: a quarter of what the strictest venue allows, if each has the weight of a full page. */
const PRODUCT_CALLS: RateLimit = { points: 25, perS: 5 };
/** A watchlist of fifty new products needs one call for each at a time. */
const WAITING: WaitingCalls = { inAll: 200, ofOne: 75 };

export interface VenueLanes {
  /** For the ten symbols. */
  specified: VenueRequests;
  /**
   * For all other products, which anyone may request by the hundred. Their calls wait for their turn, and when they fail
   * or are too many, only they pause.
   */
  products: VenueRequests;
}

export function venueLanes(options: VenueRequestOptions): VenueLanes {
  const ban: Ban = { untilMs: 0 };
  return {
    specified: venueRequests(options, ban),
    products: venueRequests(options, ban, venueTurns(PRODUCT_CALLS, WAITING)),
  };
}

/** @param turn  resolves when a call may start; rejects if too many wait */
export function venueRequests(
  options: VenueRequestOptions,
  ban: Ban = { untilMs: 0 },
  turn: (() => Promise<void>) | null = null,
): VenueRequests {
  const { log, fetch: send = fetch, timeoutMs = TIMEOUT_MS, monotonicMs = () => performance.now() } = options;
  const { readRefusal = () => null, headers = {} } = options;
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  let failures = 0;
  let heldUntilMs = 0;

  function hold(pauseMs: number, reason: string, isBan = false): void {
    // A milder answer that arrives after a ban does not shorten it.
    heldUntilMs = Math.max(heldUntilMs, monotonicMs() + pauseMs);
    if (isBan) ban.untilMs = Math.max(ban.untilMs, heldUntilMs);
    log.warn({ venue: baseUrl, pauseMs, reason }, 'calls to a venue paused');
  }

  function countFailure(reason: string): void {
    failures += 1;
    if (failures >= MAX_FAILURES) hold(Math.min(MAX_PAUSE_MS, 1000 * 2 ** (failures - MAX_FAILURES)), reason);
  }

  function unavailable(details: Record<string, unknown>, cause?: unknown): AppError {
    return new AppError('venue/unavailable', { details, cause });
  }

  async function get<T>(path: string, query: Query, signal: AbortSignal, read: (text: string) => T): Promise<T> {
    refuseWhileHeld();
    if (turn !== null) {
      await inTurn(turn, signal);
      refuseWhileHeld();
    }
    const url = new URL(baseUrl + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    return step({ kind: 'feed', name: url.host }, () => fetchAnswer(url, signal, read));
  }

  /** @throws AppError `venue/unavailable` */
  function refuseWhileHeld(): void {
    const heldMs = Math.max(heldUntilMs, ban.untilMs) - monotonicMs();
    if (heldMs > 0) throw unavailable({ retryAfterS: Math.ceil(heldMs / 1000) });
  }

  async function inTurn(wait: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const turn = wait().catch((error: unknown) => {
      throw unavailable({ reason: 'too many calls wait', retryAfterS: PRODUCT_CALLS.perS }, error);
    });
    // A server that stops does not wait for the turns of others.
    await unlessAborted(turn, signal);
  }

  async function fetchAnswer<T>(url: URL, signal: AbortSignal, read: (text: string) => T): Promise<T> {
    try {
      const timeout = AbortSignal.timeout(timeoutMs);
      const response = await send(url, { headers, signal: AbortSignal.any([signal, timeout]), redirect: 'error' });
      const text = await readBounded(response, MAX_ANSWER_BYTES);
      if (!response.ok) throw refuse(response, text);
      const answer = read(text);
      const refusal = readRefusal(answer);
      if (refusal !== null) throw refuseInBody(refusal);
      failures = 0;
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (isAppError(error)) throw error;
      const reason = reasonOf(error);
      countFailure(reason);
      throw unavailable({ reason }, error);
    }
  }

  function refuse(response: Response, text: string): AppError {
    const { status } = response;
    const pauseMs = PAUSE_MS[status];
    if (pauseMs !== undefined)
      hold(readRetryAfterMs(response.headers.get('retry-after')) ?? pauseMs, `status ${status}`, BANS.includes(status));
    // Our own mistake (an unknown symbol) says nothing about the venue's health.
    else if (status >= 500) countFailure(`status ${status}`);
    else {
      const refusal = readRefusal(parsedJson(text));
      if (refusal !== null) return refuseInBody(refusal);
    }
    log.warn({ venue: baseUrl, status, answer: text.slice(0, 200) }, 'venue refused');
    return refused(`status ${status}`);
  }

  function refuseInBody({ reason, kind }: BodyRefusal): AppError {
    const pauseMs = REFUSAL_PAUSE_MS[kind];
    if (pauseMs !== undefined) hold(pauseMs, reason, BANS.includes(kind));
    else if (kind === 'failing') countFailure(reason);
    log.warn({ venue: baseUrl, reason: reason.slice(0, 200) }, 'venue refused');
    return refused(reason.slice(0, 200));
  }

  function refused(reason: string): AppError {
    const heldMs = Math.max(0, heldUntilMs - monotonicMs());
    return unavailable({ reason, ...(heldMs > 0 ? { retryAfterS: Math.ceil(heldMs / 1000) } : {}) });
  }

  return { get, getJson: (path, query, signal) => get(path, query, signal, (text): unknown => JSON.parse(text)) };
}

/** ECONNREFUSED, ENOTFOUND ... of a failed connection: `fetch` hides them in the cause, one per address tried. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return codeOf(error.cause) ?? codeOf(error) ?? error.name;
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(error.code)) return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : null;
}
