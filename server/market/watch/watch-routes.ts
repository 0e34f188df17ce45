import { Hono } from 'hono';
import { MOST_WATCHED, pairOfKey, type WatchedPair } from '#domain/watchlist/watchlist.ts';
import { invalidParameter, onlyMethods } from '../../platform/http/calls/http-errors.ts';
import type { WatchRows } from './watch-rows.ts';

/** Public: rows hold candles' figures and a range from candles, never a model's forecast. */
export function watchRoutes({ rowsOf }: Pick<WatchRows, 'rowsOf'>): Hono {
  const app = new Hono();
  app.get('/market/watch', async (c) => {
    const rows = await rowsOf(readPairs(new URL(c.req.url).searchParams));
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
