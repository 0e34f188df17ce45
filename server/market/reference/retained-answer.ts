/** What feeds whose answers are kept and passed on have in common: headers, and what a late answer is. */
import { AppError } from '#domain/errors/app-error.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedRequestsOptions } from '../../platform/feeds/feed-requests.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { CachedAnswer } from './cached-answer.ts';

/** Whose figures an answer holds, told in its headers. */
export interface FeedOrigin {
  kind: MarketKind;
  attribution: string;
}

/** What an address with a feed of its own behind it is opened with. */
export interface KeptFeedDeps {
  /** Base address: `https://api.kraken.com`. */
  restUrl: string;
  origin: FeedOrigin;
  clock: Clock;
  log: Logger;
  fetch?: FeedRequestsOptions['fetch'];
  /** Monotonic milliseconds, and waiting by them; a test passes its own. */
  monotonicMs?: () => number;
  wait?: FeedRequestsOptions['wait'];
}

/** A sandbox is never told as the service it plays; its bars of years are simulated even where candles are replayed. */
export function originOf(source: { kind: MarketKind }, service: string): FeedOrigin {
  return source.kind === 'live'
    ? { kind: 'live', attribution: service }
    : { kind: 'simulated', attribution: 'Sandbox market' };
}

/**
 * Headers of an answer that was kept for a while: how long others may keep it, from when it is, and whether that is
 * longer ago than it should be. No `age`: browsers would count it against the half minute, and ask again at once.
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

/** @throws AppError `venue/unavailable` for an answer that came too late, like any other that did not come */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw isLate ? new AppError('venue/unavailable', { cause: error }) : error;
  }
}
