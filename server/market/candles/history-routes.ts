/** GET /history: closed candles of a symbol as six arrays. */
import { Hono } from 'hono';
import { toColumns } from '#domain/market/candle.ts';
import { onlyMethods } from '../../platform/http/calls/methods.ts';
import type { CandleHistory } from './candle-history.ts';
import { readHistoryQuery } from './history-query.ts';

export interface MarketRoutesDeps {
  history: CandleHistory;
}

/**
 * Errors are left to the app, which maps codes to statuses: `request/invalid` and `market/unknown-symbol` 400,
 * `venue/unavailable` and `venue/not-connected` 503. The `x-market-*` headers carry the prices' source, delay and age.
 */
export function marketRoutes(deps: MarketRoutesDeps): Hono {
  const app = new Hono();
  app.get('/history', async (c) => {
    const { symbol, bars } = readHistoryQuery(new URL(c.req.url).searchParams);
    const slice = await deps.history.latest(symbol, bars, c.req.raw.signal);
    return c.json(toColumns(slice.candles), 200, {
      'cache-control': 'no-store',
      'x-market-kind': slice.marketKind,
      'x-market-venue': slice.venueId,
      'x-market-open': String(slice.isOpen),
      'x-market-attribution': slice.attribution,
      'x-market-delay-s': String(slice.delayS),
      'x-market-stale': String(slice.isStale),
      ...(slice.asOfS === null ? {} : { 'x-market-as-of': String(slice.asOfS) }),
    });
  });
  app.all('/history', onlyMethods('GET', 'HEAD'));
  return app;
}
