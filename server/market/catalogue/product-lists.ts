/** One call per venue, or a few pages: its own list of products, parsed. */
import { parseBinanceProducts } from '#domain/market/catalogue/binance-products.ts';
import { parseBybitProducts } from '#domain/market/catalogue/bybit-products.ts';
import { parseCoinbaseProducts } from '#domain/market/catalogue/coinbase-products.ts';
import { parseKrakenProducts } from '#domain/market/catalogue/kraken-products.ts';
import type { CatalogueVenue } from '#domain/market/catalogue/market.ts';
import { parseOkxProducts } from '#domain/market/catalogue/okx-products.ts';
import type { ProductList } from '#domain/market/catalogue/product-list.ts';
import type { FeedAddresses } from '../../platform/config/addresses.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { type VenueRequests, venueRequests } from '../venues/transport/venue-requests.ts';
import { VENUE_REFUSALS } from '../venues/venue-refusals.ts';

export interface ListParts {
  addresses: Pick<FeedAddresses, CatalogueVenue>;
  log: Logger;
  fetch?: typeof fetch | undefined;
}

/** @throws AppError `venue/unavailable` */
export type LoadList = (signal: AbortSignal) => Promise<ProductList>;

/** Bybit has about 700 products, a thousand to a page. */
const MAX_PAGES = 5;
const BYBIT_PAGE = 1000;

const LISTS: Readonly<Record<CatalogueVenue, (requests: VenueRequests, signal: AbortSignal) => Promise<ProductList>>> =
  {
    binance: async (requests, signal) =>
      parseBinanceProducts(await requests.getJson('/fapi/v1/exchangeInfo', {}, signal)),
    bybit: loadBybit,
    okx: async (requests, signal) =>
      parseOkxProducts(await requests.getJson('/api/v5/public/instruments', { instType: 'SWAP' }, signal)),
    coinbase: async (requests, signal) => parseCoinbaseProducts(await requests.getJson('/products', {}, signal)),
    kraken: async (requests, signal) => parseKrakenProducts(await requests.getJson('/0/public/AssetPairs', {}, signal)),
  };

/** A list takes up to a few megabytes. */
const TIMEOUT_MS = 8000;

/** Apart from the venue's candles: a list that fails pauses no candles. */
export function productListOf(venue: CatalogueVenue, { addresses, log, fetch }: ListParts): LoadList {
  const readRefusal = venue === 'coinbase' ? undefined : VENUE_REFUSALS[venue];
  const baseUrl = addresses[venue].restUrl;
  const requests = venueRequests({ baseUrl, log, fetch, timeoutMs: TIMEOUT_MS, readRefusal });
  return (signal) => LISTS[venue](requests, signal);
}

async function loadBybit(requests: VenueRequests, signal: AbortSignal): Promise<ProductList> {
  const pages: ProductList[] = [];
  let cursor = '';
  do {
    const query = { category: 'linear', limit: BYBIT_PAGE, ...(cursor === '' ? {} : { cursor }) };
    const page = parseBybitProducts(await requests.getJson('/v5/market/instruments-info', query, signal));
    pages.push(page);
    cursor = page.cursor;
  } while (cursor !== '' && pages.length < MAX_PAGES);
  return {
    markets: pages.flatMap(({ markets }) => markets),
    malformed: pages.reduce((sum, { malformed }) => sum + malformed, 0),
  };
}
