import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { MOST_WATCHED, pairOfKey, type WatchedPair } from '#domain/watchlist/watchlist.ts';
import { invalidParameter, onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { filledText, readQuery } from '../../platform/http/calls/read-query.ts';
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

const watchQuery = z.object({ pairs: filledText });

/** @throws AppError `request/invalid` */
function readPairs(params: URLSearchParams): WatchedPair[] {
  const keys = readQuery(params, watchQuery).pairs.split(',', MOST_WATCHED + 1);
  const pairs = keys.flatMap((key) => pairOfKey(key) ?? []);
  const isInvalid = keys.length > MOST_WATCHED || pairs.length < keys.length || new Set(keys).size < keys.length;
  if (isInvalid) throw invalidParameter('pairs', 'invalid');
  return pairs;
}
