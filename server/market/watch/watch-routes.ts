import { type Context, Hono } from 'hono';
import { MOST_WATCHED, pairOfKey, type WatchedPair } from '#domain/watchlist/watchlist.ts';
import { answerRoute } from '../../platform/http/calls/contract-route.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';
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
  answerRoute(app, '/market/watch', async (c, query) => {
    const pairs = readPairs(query.pairs);
    if (addressOf !== undefined) await newProducts.open(addressOf(c), await productsOf(pairs));
    const rows = await rowsOf(pairs);
    return c.json({ rows }, 200, { 'cache-control': 'no-store' });
  });
  return app;
}

/** @throws AppError `request/invalid` */
function readPairs(text: string): WatchedPair[] {
  const keys = text.split(',', MOST_WATCHED + 1);
  const pairs = keys.flatMap((key) => pairOfKey(key) ?? []);
  const isInvalid = keys.length > MOST_WATCHED || pairs.length < keys.length || new Set(keys).size < keys.length;
  if (isInvalid) throw invalidParameter('pairs', 'invalid');
  return pairs;
}
