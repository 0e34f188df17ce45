import { type Context, Hono } from 'hono';
import { MOST_WATCHED, pairOfKey, type WatchedPair } from '#domain/watchlist/watchlist.ts';
import { invalidParameter, onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { limiterOfProcess, type RateLimit, type RateLimiterOf } from '../../platform/http/guards/rate-limit.ts';
import type { WatchRows } from './watch-rows.ts';

export interface WatchRouteDeps extends Pick<WatchRows, 'rowsOf' | 'newProducts'> {
  /** Identifies one caller. Absent: new products are not counted. */
  addressOf?: ((c: Context) => string) | undefined;
  limiterOf?: RateLimiterOf | undefined;
}

/** Two lists of fifty a minute. A visitor who opens hundreds of products would use up what the venues allow. */
const NEW_PRODUCTS: RateLimit = { points: 100, perS: 60 };

/** Public: rows hold candles' figures and a range from candles, never a model's forecast. */
export function watchRoutes({ rowsOf, newProducts, addressOf, limiterOf = limiterOfProcess }: WatchRouteDeps): Hono {
  const opened = limiterOf(NEW_PRODUCTS, 'new-products');
  const app = new Hono();
  app.get('/market/watch', async (c) => {
    const pairs = readPairs(new URL(c.req.url).searchParams);
    const count = addressOf === undefined ? 0 : await newProducts(pairs);
    if (addressOf !== undefined && count > 0) await opened.take(addressOf(c), count);
    const rows = await rowsOf(pairs);
    return c.json({ rows }, 200, { 'cache-control': 'no-store' });
  });
  app.all('/market/watch', onlyMethods('GET', 'HEAD'));
  return app;
}

/** @throws AppError `request/invalid` */
function readPairs(params: URLSearchParams): WatchedPair[] {
  for (const name of params.keys()) if (name !== 'pairs') throw invalidParameter('query', 'unknown');
  const [text, ...more] = params.getAll('pairs');
  if (text === undefined || text === '') throw invalidParameter('pairs', 'missing');
  if (more.length > 0) throw invalidParameter('pairs', 'repeated');
  const keys = text.split(',', MOST_WATCHED + 1);
  const pairs = keys.flatMap((key) => pairOfKey(key) ?? []);
  const isInvalid = keys.length > MOST_WATCHED || pairs.length < keys.length || new Set(keys).size < keys.length;
  if (isInvalid) throw invalidParameter('pairs', 'invalid');
  return pairs;
}
