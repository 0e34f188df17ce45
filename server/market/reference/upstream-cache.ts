/**
 * Answers of an upstream, cached and shared by all callers: one call at a time per key, and the last good answer while
 * the upstream fails. A failure is cached briefly too, so that visitors cannot multiply calls.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import { unlessAborted } from '#domain/time/deadline.ts';
import type { Core } from '../../core.ts';
import type { FeedRequestsOptions } from '../../platform/feeds/feed-requests.ts';

export interface CachedAnswersOptions<T> {
  /** A younger answer is returned without a call. */
  freshMs: number;
  /** Calls the upstream. The signal aborts after `timeoutMs`, never because one of several callers left. */
  load(key: string, signal: AbortSignal): Promise<T>;
  /** Timestamps the answers; their age is measured in monotonic time. */
  clock: Clock;
  /** Most answers cached; the least recently requested is dropped first. Default 100. */
  maxKeys?: number;
  /** Default 20 s. */
  timeoutMs?: number;
  /** After a failure, no call for this long. Default 10 s, or `freshMs` where that is less. */
  retryMs?: number;
  /** An older answer is not returned any more. Default: a day. */
  maxStaleMs?: number;
  /** Monotonic milliseconds; a test passes its own. */
  monotonicMs?: () => number;
}

export interface CachedAnswer<T> {
  value: T;
  fetchedAtMs: number;
  /** True when it is older than `freshMs` because the upstream returned no newer one. */
  isStale: boolean;
}

export interface CachedAnswers<T> {
  /** @throws the error of `load` without an older answer; the signal's reason when the caller left */
  get(key: string, signal: AbortSignal): Promise<CachedAnswer<T>>;
}

const DAY_MS = 86_400_000;

interface Entry<T> {
  answer: { value: T; fetchedAtMs: number; atMs: number } | null;
  failure: { error: unknown; atMs: number } | null;
  flight: Promise<void> | null;
}

export function cachedAnswers<T>(options: CachedAnswersOptions<T>): CachedAnswers<T> {
  const { freshMs, load, clock, maxKeys = 100, timeoutMs = 20_000, maxStaleMs = DAY_MS } = options;
  const { retryMs = Math.min(10_000, freshMs), monotonicMs = () => performance.now() } = options;
  const entries = new Map<string, Entry<T>>();

  /** The key's entry, moved to the end, so that the map's first is the least recently requested. */
  function touch(key: string): Entry<T> {
    const entry = entries.get(key) ?? { answer: null, failure: null, flight: null };
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= maxKeys) break;
      entries.delete(oldest);
    }
    return entry;
  }

  async function refresh(key: string, entry: Entry<T>): Promise<void> {
    try {
      const value = await load(key, AbortSignal.timeout(timeoutMs));
      entry.answer = { value, fetchedAtMs: clock.nowMs(), atMs: monotonicMs() };
      entry.failure = null;
    } catch (error) {
      entry.failure = { error, atMs: monotonicMs() };
    } finally {
      entry.flight = null;
    }
  }

  return {
    async get(key, signal) {
      signal.throwIfAborted();
      const entry = touch(key);
      const isFresh = () => entry.answer !== null && monotonicMs() - entry.answer.atMs < freshMs;
      const isHeld = entry.failure !== null && monotonicMs() - entry.failure.atMs < retryMs;
      if (!isFresh() && !isHeld) {
        entry.flight ??= refresh(key, entry);
        await unlessAborted(entry.flight, signal);
      }
      const { answer, failure } = entry;
      if (answer !== null && monotonicMs() - answer.atMs < maxStaleMs)
        return { value: answer.value, fetchedAtMs: answer.fetchedAtMs, isStale: !isFresh() };
      throw failure?.error ?? new Error('A load that ended gave neither answer nor failure.');
    },
  };
}

export interface FeedOrigin {
  kind: MarketKind;
  attribution: string;
}

export interface CachedFeedDeps extends Pick<Core, 'clock' | 'log'> {
  /** Base URL: `https://api.kraken.com`. */
  restUrl: string;
  origin: FeedOrigin;
  fetch?: FeedRequestsOptions['fetch'];
  /** Monotonic milliseconds, and a wait measured in them; a test passes its own. */
  monotonicMs?: () => number;
  wait?: FeedRequestsOptions['wait'];
}

/** A sandbox never carries the name of the service it simulates; its yearly bars are simulated even in a replay. */
export function originOf(source: { kind: MarketKind }, service: string): FeedOrigin {
  return source.kind === 'live'
    ? { kind: 'live', attribution: service }
    : { kind: 'simulated', attribution: 'Sandbox market' };
}

/** Sends no `age`: browsers would subtract it from the half minute and request again immediately. */
export function cacheHeaders(
  { fetchedAtMs, isStale }: CachedAnswer<unknown>,
  origin: FeedOrigin,
): Record<string, string> {
  return {
    'cache-control': 'public, max-age=30',
    'x-fetched-at': new Date(fetchedAtMs).toISOString(),
    'x-market-kind': origin.kind,
    'x-market-attribution': origin.attribution,
    'x-market-stale': String(isStale),
  };
}

/** @throws AppError `venue/unavailable` for a late answer, as for a missing one */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw isLate ? new AppError('venue/unavailable', { cause: error }) : error;
  }
}
