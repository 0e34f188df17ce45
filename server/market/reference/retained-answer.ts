/** Shared by feeds whose answers are cached and forwarded: headers, and the meaning of a late answer. */
import { AppError } from '#domain/errors/app-error.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedRequestsOptions } from '../../platform/feeds/feed-requests.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { CachedAnswer } from './cached-answer.ts';

/** Source of an answer's figures, sent in its headers. */
export interface FeedOrigin {
  kind: MarketKind;
  attribution: string;
}

/** Options of a route with its own feed behind it. */
export interface KeptFeedDeps {
  /** Base URL: `https://api.kraken.com`. */
  restUrl: string;
  origin: FeedOrigin;
  clock: Clock;
  log: Logger;
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

/**
 * Headers of a cached answer: how long clients may cache it, when it was fetched, and whether that is too long ago. No
 * `age`: browsers would subtract it from the half minute and request again immediately.
 */
export function keptFor({ fetchedAtMs, isStale }: CachedAnswer<unknown>, origin: FeedOrigin): Record<string, string> {
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
