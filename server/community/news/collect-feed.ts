/** One conditional request to one feed, parsed in a separate thread. Its outcome is always recorded. */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { Core } from '../../core.ts';
import { SqlError } from '../../platform/database/database.ts';
import { readRetryAfterMs } from '../../platform/outbound/foreign-answer.ts';
import type { GuardedAnswer, GuardedFetch } from '../../platform/outbound/guarded-fetch.ts';
import type { FeedReader } from './feed-thread.ts';
import type { FeedTags, NewsFeedState, NewsFeedStore } from './news-feed-store.ts';
import { currentItems, type NewsFeed, type NewsStore } from './news-store.ts';

export interface FeedDeps extends Pick<Core, 'clock' | 'log'> {
  articles: Pick<NewsStore, 'put'>;
  feeds: NewsFeedStore;
  fetch: GuardedFetch;
  reader: FeedReader;
  /** From one good answer to the next request. */
  periodMs: number;
  /** In [0, 1). */
  random: () => number;
}

const ACCEPTED =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1';
/** Random share of a period, so that not all feeds are requested at the same time. */
const JITTER = 0.1;

/** @throws the signal's reason on abort, and database outages; no fault of the feed, nor SQL's refusal of its data */
export async function collectFeed(
  deps: FeedDeps,
  feed: NewsFeed,
  state: NewsFeedState,
  signal: AbortSignal,
): Promise<void> {
  const { articles, feeds, fetch, reader, clock, log, periodMs, random } = deps;
  let tags: FeedTags | null;
  try {
    const answer = await fetch(feed.address, { headers: { accept: ACCEPTED, ...conditionsOf(state) }, signal });
    const isUnchanged = answer.status === 304 && (state.etag ?? state.lastModified) !== null;
    if (!isUnchanged) {
      requireOk(answer);
      const text = feedText(answer.body, answer.headers['content-type']);
      const items = await reader.read({ text, feedUrl: answer.url }, signal);
      if (items.length === 0) throw new AppError('venue/unavailable', { details: { reason: 'no articles' } });
      const nowMs = clock.nowMs();
      await articles.put(feed, currentItems(items, nowMs), nowMs);
    }
    tags = isUnchanged ? null : tagsOf(answer);
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(error);
    if (failure === null) throw error;
    const reason = String(failure.details.reason ?? 'unknown');
    const failures = state.failures + 1;
    const nextInMs = retryInMs({ error: failure, failures, periodMs, random });
    log.warn({ feed: feed.name, reason, failures, nextInS: Math.round(nextInMs / 1000) }, 'a news feed failed');
    await feeds.failed(feed.key, reason, nextInMs);
    return;
  }
  await feeds.answered(feed.key, tags, periodMs * (1 + JITTER * random()));
}

/** Null: the feed is not at fault. */
function failureOf(error: unknown): AppError | null {
  if (error instanceof SqlError)
    return new AppError('venue/unavailable', { details: { reason: `refused by the database ${error.code}` } });
  return isAppError(error) && error.code === 'venue/unavailable' ? error : null;
}

function conditionsOf({ etag, lastModified }: FeedTags): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

function tagsOf({ headers }: GuardedAnswer): FeedTags {
  return { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null };
}

function requireOk({ status, headers }: GuardedAnswer): void {
  if (status === 200) return;
  const retryAfterMs = readRetryAfterMs(headers['retry-after'] ?? null);
  throw new AppError('venue/unavailable', { details: { reason: `status ${status}`, status, retryAfterMs } });
}

const FIRST_RETRY_MS = 60_000;
const SHORTEST_RETRY_MS = 5000;
const MAX_TRIES = 3;
const MAX_FAILURES = 5;
const LONGEST_RETRY_MS = 3_600_000;
const MAX_PATIENCE_MS = 86_400_000;
/** Failures that a retry may fix; an HTML page instead of a feed, or 404, is the same a minute later. */
const PASSING = new Set(['timeout', 'not reached', 'status 429']);

interface Failure {
  error: AppError;
  /** Consecutive failures, this one included. */
  failures: number;
  periodMs: number;
  random: () => number;
}

/**
 * Retries passing failures three times at short random intervals, then once a period. After five failures the wait
 * grows up to an hour. A feed may demand longer waits.
 */
export function retryInMs({ error, failures, periodMs, random }: Failure): number {
  const { reason, status, retryAfterMs } = error.details;
  const isPassing = PASSING.has(String(reason)) || (typeof status === 'number' && status >= 500);
  const soonMs = Math.max(SHORTEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1) * random());
  const laterMs = periodMs * 2 ** Math.min(10, Math.max(0, failures - MAX_FAILURES)) * (1 + JITTER * random());
  const ownMs = isPassing && failures < MAX_TRIES ? Math.min(soonMs, laterMs) : laterMs;
  const requestedMs = typeof retryAfterMs === 'number' ? Math.min(MAX_PATIENCE_MS, retryAfterMs) : 0;
  return Math.max(requestedMs, Math.min(ownMs, Math.max(periodMs, LONGEST_RETRY_MS)));
}

/**
 * By the byte order mark; else as UTF-8 where the bytes are UTF-8, because servers and templates often declare another
 * encoding than they send; else as declared.
 * @param contentType the answer's header; an unknown encoding counts as UTF-8
 */
export function feedText(body: Uint8Array, contentType: string | undefined): string {
  const mark = markOf(body);
  if (mark !== null) return new TextDecoder(mark).decode(body);
  const start = Buffer.from(body.subarray(0, 200)).toString('latin1');
  const declared = [
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType ?? '')?.[1],
    /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/i.exec(start)?.[1],
  ].filter((label) => label !== undefined);
  // Written in ASCII with escape sequences, so that its bytes are UTF-8 too.
  const escaped = declared.find((label) => /^iso-2022-/i.test(label));
  const labels = [...(escaped === undefined || !body.includes(ESCAPE) ? [] : [escaped]), 'utf-8', ...declared];
  for (const label of labels) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(body);
    } catch {
      // Not an encoding, or not the one of these bytes.
    }
  }
  return new TextDecoder().decode(body);
}

const ESCAPE = 0x1b;

/** A byte order mark, or the first two characters of XML in UTF-16 without one. */
function markOf(body: Uint8Array): string | null {
  const first = Buffer.from(body.subarray(0, 4)).toString('hex');
  if (first.startsWith('efbbbf')) return 'utf-8';
  if (first.startsWith('fffe') || first === '3c003f00') return 'utf-16le';
  if (first.startsWith('feff') || first === '003c003f') return 'utf-16be';
  return null;
}
