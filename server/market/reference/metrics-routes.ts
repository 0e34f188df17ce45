/** The feeds' last answers in their own formats, from our store only: no visitor causes a call. */
import { Hono } from 'hono';
import type * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { fearGreedSchema } from '#domain/market/reference/fear-greed.ts';
import { coinsSchema, globalMetricsSchema } from '#domain/market/reference/global-metrics.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedKind, FeedStore, FeedValue } from '../../platform/feeds/feed-store.ts';
import { onlyMethods } from '../../platform/http/calls/http-errors.ts';
import type { SnapshotStore } from './feeds/price-snapshot-store.ts';
import { type LivePrices, withLivePrices } from './live-overlay.ts';
import { readCoinsQuery, requireFearGreedQuery, requireNoQuery } from './metrics-query.ts';
import { cachedAnswers, cacheHeaders } from './upstream-cache.ts';

export interface MetricsRoutesDeps {
  store: Pick<FeedStore, 'get'>;
  snapshots: Pick<SnapshotStore, 'lines'>;
  kind: FeedKind;
  clock: Clock;
  /** From this age on an answer is marked stale: its feed has failed for several periods. */
  staleMs: number;
  /** Must not fail: empty while no price is known. */
  livePrices(signal: AbortSignal): Promise<LivePrices>;
}

export const GLOBAL = 'global';
export const COINS = 'coins';
export const FEAR_GREED = 'fear-greed';

/** Another process may have stored a newer one. */
const REREAD_MS = 2000;
/** The largest coins, as many as the page can list. */
const LINES = 50;
/** The history gets a row every ten minutes. */
const LINES_MS = 5 * 60_000;
/** Retry interval while nothing is stored yet: the first answer is seconds away. */
const RETRY_MS = 250;

/**
 * Errors are left to the app: `request/invalid` 400, `venue/unavailable` 503 while nothing is stored. `x-fetched-at` is
 * the time of the feed's last answer: while the feed fails, that answer is returned and its age grows.
 */
export function metricsRoutes({ store, snapshots, kind, clock, staleMs, livePrices }: MetricsRoutesDeps): Hono {
  const app = new Hono();

  /** The feed's stored answer, read again at most every two seconds. */
  function lastGood<T>(feed: string, schema: z.ZodMiniType<T>): (signal: AbortSignal) => Promise<Good<T>> {
    const load = () => stored(store, feed, schema);
    const answers = cachedAnswers({ freshMs: REREAD_MS, retryMs: RETRY_MS, maxKeys: 1, load, clock });
    return async (signal) => (await answers.get(feed, signal)).value;
  }
  const headersOf = ({ value, attribution, fetchedAtMs }: Good<unknown>) => {
    const isStale = clock.nowMs() - fetchedAtMs > staleMs;
    return cacheHeaders({ value, fetchedAtMs, isStale }, { kind, attribution });
  };
  const global = lastGood(GLOBAL, globalMetricsSchema);
  const coinList = lastGood(COINS, coinsSchema);
  const fearGreed = lastGood(FEAR_GREED, fearGreedSchema);
  const lines = cachedAnswers({
    freshMs: LINES_MS,
    maxKeys: 1,
    clock,
    async load(_key, signal) {
      const { value: coins } = await coinList(signal);
      const symbols = coins.slice(0, LINES).map(({ symbol }) => symbol.toUpperCase());
      return snapshots.lines(symbols, clock.nowMs());
    },
  });

  app.get('/api/v3/global', async (c) => {
    requireNoQuery(new URL(c.req.url).searchParams);
    const good = await global(c.req.raw.signal);
    return c.json(good.value, 200, headersOf(good));
  });
  app.get('/api/v3/coins/markets', async (c) => {
    const count = readCoinsQuery(new URL(c.req.url).searchParams);
    const { signal } = c.req.raw;
    const good = await coinList(signal);
    const { coins, attributions } = withLivePrices(good.value.slice(0, count), await livePrices(signal));
    const attribution = [...new Set([good.attribution, ...attributions])].join(', ');
    return c.json(coins, 200, headersOf({ ...good, attribution }));
  });
  app.get('/api/v3/coins/sparklines', async (c) => {
    requireNoQuery(new URL(c.req.url).searchParams);
    const { value } = await lines.get('', c.req.raw.signal);
    return c.json(value, 200, { 'cache-control': 'public, max-age=30', 'x-market-kind': kind });
  });
  for (const path of ['/fng', '/fng/'])
    app.get(path, async (c) => {
      requireFearGreedQuery(new URL(c.req.url).searchParams);
      const good = await fearGreed(c.req.raw.signal);
      return c.json(good.value, 200, headersOf(good));
    });
  for (const path of ['/api/v3/global', '/api/v3/coins/markets', '/api/v3/coins/sparklines', '/fng', '/fng/'])
    app.all(path, onlyMethods('GET', 'HEAD'));
  return app;
}

interface Good<T> extends Omit<FeedValue, 'body'> {
  value: T;
}

/** @throws AppError `venue/unavailable`, also for an older version's stored answer in another format */
async function stored<T>(store: MetricsRoutesDeps['store'], feed: string, schema: z.ZodMiniType<T>): Promise<Good<T>> {
  const found = await store.get(feed);
  const parsed = schema.safeParse(found?.body);
  if (found === null || !parsed.success)
    throw new AppError('venue/unavailable', { details: { reason: 'nothing stored yet' } });
  return { value: parsed.data, attribution: found.attribution, fetchedAtMs: found.fetchedAtMs };
}
