import { type Context, Hono } from 'hono';
import { MOST_WATCHED, pairOfKey, type WatchedPair } from '#domain/watchlist/watchlist.ts';
import { invalidParameter, onlyMethods } from '../../platform/http/calls/http-errors.ts';
import type { NewProducts } from '../catalogue/new-products.ts';
import type { WatchRows } from './watch-rows.ts';

export interface WatchRouteDeps extends Pick<WatchRows, 'rowsOf' | 'productsOf'> {
  newProducts: NewProducts;
  /** Identifies one caller. Absent: new products are not counted. */
  addressOf?: ((c: Context) => string | null) | undefined;
}

/** Public: rows hold candles' figures and a range from candles, never a model's forecast. */
export function watchRoutes({ rowsOf, productsOf, newProducts, addressOf }: WatchRouteDeps): Hono {
  const app = new Hono();
  app.get('/market/watch', async (c) => {
    const pairs = readPairs(new URL(c.req.url).searchParams);
    if (addressOf !== undefined) await newProducts.open(addressOf(c), await productsOf(pairs));
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
