import { Hono } from 'hono';
import type { FoundMarket } from '#domain/market/catalogue/found-market.ts';
import type { Listing } from '#domain/market/catalogue/listing.ts';
import { isNewAt } from '#domain/market/catalogue/listing.ts';
import type { Clock } from '#domain/time/clock.ts';
import { answerRoute } from '../../platform/http/calls/contract-route.ts';
import type { MarketCatalogue } from './market-catalogue.ts';

export interface MarketListDeps {
  catalogue: Pick<MarketCatalogue, 'search'>;
  clock: Clock;
}

/** GET /markets: products by code or name. For everyone; errors are left to the app. */
export function marketListRoutes({ catalogue, clock }: MarketListDeps): Hono {
  const app = new Hono();
  answerRoute(app, '/markets', async (c, { query, limit }) => {
    const found = await catalogue.search(query, limit, c.req.raw.signal);
    const nowS = clock.nowMs() / 1000;
    return c.json({ markets: found.map((listing) => toFound(listing, nowS)) }, 200, { 'cache-control': 'no-store' });
  });
  return app;
}

/** As answers return it. */
export function toFound(listing: Listing, nowS: number): FoundMarket {
  const { symbol, base, quote, name, kind, status, exchanges, listedAtS } = listing;
  const { label, exc, sym, tickSize, bookProductId } = symbol;
  return {
    label,
    exc,
    sym,
    base,
    quote,
    name,
    kind,
    status,
    exchanges: [...exchanges],
    tickSize,
    bookProductId,
    listedAtS,
    isNew: isNewAt(listing, nowS),
  };
}
