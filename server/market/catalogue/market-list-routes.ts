import { Hono } from 'hono';
import { type FoundMarket, MAX_FOUND, MAX_QUERY_LENGTH } from '#domain/market/catalogue/found-market.ts';
import type { Listing } from '#domain/market/catalogue/listing.ts';
import { isNewAt } from '#domain/market/catalogue/listing.ts';
import type { Clock } from '#domain/time/clock.ts';
import { invalidParameter, onlyMethods } from '../../platform/http/calls/http-errors.ts';
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
    const { query, limit } = readMarketsQuery(new URL(c.req.url).searchParams);
    const found = await catalogue.search(query, limit, c.req.raw.signal);
    const nowS = clock.nowMs() / 1000;
    return c.json({ markets: found.map((listing) => toFound(listing, nowS)) }, 200, { 'cache-control': 'no-store' });
  });
  app.all('/markets', onlyMethods('GET', 'HEAD'));
  return app;
}

const NAMES: readonly string[] = ['query', 'limit'];

/** @throws AppError `request/invalid` with `details.parameter` and `details.problem` */
function readMarketsQuery(params: URLSearchParams): { query: string; limit: number } {
  for (const name of params.keys()) if (!NAMES.includes(name)) throw invalidParameter('query', 'unknown');
  for (const name of NAMES) if (params.getAll(name).length > 1) throw invalidParameter(name, 'repeated');
  const query = (params.get('query') ?? '').trim();
  if (query.length > MAX_QUERY_LENGTH || hasControlCharacter(query)) throw invalidParameter('query', 'invalid');
  const text = params.get('limit') ?? String(DEFAULT_LIMIT);
  const limit = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : Number.NaN;
  if (!(limit <= MAX_FOUND)) throw invalidParameter('limit', 'invalid');
  return { query, limit };
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
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
