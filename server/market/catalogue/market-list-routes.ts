import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type FoundMarket, MAX_FOUND, MAX_QUERY_LENGTH } from '#domain/market/catalogue/found-market.ts';
import type { Listing } from '#domain/market/catalogue/listing.ts';
import { isNewAt } from '#domain/market/catalogue/listing.ts';
import type { Clock } from '#domain/time/clock.ts';
import { onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { readQuery, wholeNumber } from '../../platform/http/calls/read-query.ts';
import type { MarketCatalogue } from './market-catalogue.ts';

export interface MarketListDeps {
  catalogue: Pick<MarketCatalogue, 'search'>;
  clock: Clock;
}

const DEFAULT_LIMIT = 20;

/** GET /markets: products by code or name. For everyone; errors are left to the app. */
export function marketListRoutes({ catalogue, clock }: MarketListDeps): Hono {
  const app = new Hono();
  app.get('/markets', async (c) => {
    const { query, limit } = readQuery(new URL(c.req.url).searchParams, marketsQuery);
    const found = await catalogue.search(query, limit, c.req.raw.signal);
    const nowS = clock.nowMs() / 1000;
    return c.json({ markets: found.map((listing) => toFound(listing, nowS)) }, 200, { 'cache-control': 'no-store' });
  });
  app.all('/markets', onlyMethods('GET', 'HEAD'));
  return app;
}

const marketsQuery = z.object({
  query: z._default(z.string().check(z.trim(), z.maxLength(MAX_QUERY_LENGTH), z.regex(/^\P{Cc}*$/u)), ''),
  limit: z._default(wholeNumber(1, MAX_FOUND), DEFAULT_LIMIT),
});

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
