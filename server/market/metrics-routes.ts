/**
 * GET /api/v3/global, /api/v3/coins/markets and /fng/: what the reference feeds last said, in their own shapes. Read
 * from our own store only: no visitor ever causes a call. Specification 1, section 8.
 */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { coinsSchema } from '#domain/market/global-metrics.ts';
import type { Clock } from '#domain/time/clock.ts';
import { onlyMethods } from '../platform/methods.ts';
import { cachedAnswers } from './cached-answer.ts';
import type { FeedKind, FeedStore, FeedValue } from './feeds/feed-store.ts';
import { keptFor } from './kept-answer.ts';
import { type LivePrices, withLivePrices } from './live-overlay.ts';
import { readCoinsQuery, requireFearGreedQuery, requireGlobalQuery } from './metrics-query.ts';

export interface MetricsRoutesDeps {
  store: Pick<FeedStore, 'get'>;
  kind: FeedKind;
  clock: Clock;
  /** From this age on an answer is told as old: its feed has not answered for some periods. */
  staleMs: number;
  /** Must not fail: empty where nothing is known. */
  livePrices(signal: AbortSignal): Promise<LivePrices>;
}

/** Names of the stored answers. */
export const GLOBAL = 'global';
export const COINS = 'coins';
export const FEAR_GREED = 'fear-greed';

/** Another process may have stored a newer one. */
const REREAD_MS = 2000;
/** Nothing stored yet: the first answer is seconds away. */
const LOOK_AGAIN_MS = 250;

/**
 * Errors are left to the app: `request/invalid` 400, `venue/unavailable` 503 while nothing is stored. `x-fetched-at`
 * tells when the feed was asked: with a feed that is gone, the last good answer is given, and this grows old.
 */
export function metricsRoutes({ store, kind, clock, staleMs, livePrices }: MetricsRoutesDeps): Hono {
  const values = cachedAnswers({
    freshMs: REREAD_MS,
    retryMs: LOOK_AGAIN_MS,
    load: (feed) => stored(store, feed),
    clock,
  });
  const app = new Hono();

  const headersOf = ({ body, attribution, fetchedAtMs }: FeedValue) => {
    const isStale = clock.nowMs() - fetchedAtMs > staleMs;
    return keptFor({ value: body, fetchedAtMs, isStale }, { kind, attribution });
  };
  const lastGood = async (feed: string, signal: AbortSignal) => (await values.get(feed, signal)).value;

  app.get('/api/v3/global', async (c) => {
    requireGlobalQuery(new URL(c.req.url).searchParams);
    const value = await lastGood(GLOBAL, c.req.raw.signal);
    return c.json(anyJson.parse(value.body), 200, headersOf(value));
  });
  app.get('/api/v3/coins/markets', async (c) => {
    const count = readCoinsQuery(new URL(c.req.url).searchParams);
    const { signal } = c.req.raw;
    const value = await lastGood(COINS, signal);
    const coins = coinsSchema.parse(value.body).slice(0, count);
    return c.json(withLivePrices(coins, await livePrices(signal)), 200, headersOf(value));
  });
  for (const path of ['/fng', '/fng/'])
    app.get(path, async (c) => {
      requireFearGreedQuery(new URL(c.req.url).searchParams);
      const value = await lastGood(FEAR_GREED, c.req.raw.signal);
      return c.json(anyJson.parse(value.body), 200, headersOf(value));
    });
  for (const path of ['/api/v3/global', '/api/v3/coins/markets', '/fng', '/fng/'])
    app.all(path, onlyMethods('GET', 'HEAD'));
  return app;
}

/** Parsed when it was stored. */
const anyJson = z.json();

async function stored(store: Pick<FeedStore, 'get'>, feed: string): Promise<FeedValue> {
  const value = await store.get(feed);
  if (value === null) throw new AppError('venue/unavailable', { details: { reason: 'nothing stored yet' } });
  return value;
}
