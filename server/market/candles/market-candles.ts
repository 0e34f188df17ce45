import type { CatalogueVenue } from '#domain/market/catalogue/market.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import type { Core } from '../../core.ts';
import type { MarketConfig } from '../../platform/config/config-market.ts';
import type { MarketCatalogue } from '../catalogue/market-catalogue.ts';
import type { MarketSource } from '../market-source.ts';
import { inSandbox, openCandleVenues, whyNoVenue } from '../venues/candle-venues.ts';
import type { VenueOptions, VenueProducts } from '../venues/venue.ts';
import type { CandleMemory } from './candle-store.ts';
import { type FailoverHistory, type FailoverTiming, openFailoverHistory } from './failover-history.ts';

export interface MarketCandlesOptions
  extends Pick<VenueOptions, 'fetch' | 'socketTiming'>,
    Pick<Core, 'clock' | 'log'> {
  source: Pick<MarketSource, 'kind' | 'kindOf' | 'addresses' | 'keys' | 'clock'>;
  settings: Pick<MarketConfig, 'venueOrder'>;
  store: CandleMemory | null;
  /** Absent: the ten symbols only. */
  catalogue?: Pick<MarketCatalogue, 'isTradedAt' | 'productIdAt' | 'confirmedEnd'> | undefined;
  timing?: Partial<FailoverTiming> | undefined;
}

/** The sandbox market's name on screen, whichever service it simulates. */
const SANDBOX_NAME = { venueId: 'sandbox', attribution: 'Sandbox market' };

export function openMarketCandles(options: MarketCandlesOptions): FailoverHistory {
  const { source, settings, log, store, catalogue, fetch, socketTiming, timing } = options;
  const clock = source.clock ?? options.clock;
  const { addresses, keys } = source;
  const isLive = source.kind === 'live';
  const wanted = { order: settings.venueOrder, addresses, keys };
  const productsAt =
    catalogue &&
    ((venue: CatalogueVenue): VenueProducts => ({
      isTraded: (sym) => catalogue.isTradedAt(venue, sym),
      productIdOf: (sym) => catalogue.productIdAt(venue, sym),
    }));
  return openFailoverHistory({
    venues: openCandleVenues(isLive ? wanted : inSandbox(wanted), { clock, log, fetch, socketTiming, productsAt }),
    marketKind: source.kindOf,
    symbols: SYMBOLS,
    log,
    store,
    whyNone: whyNoVenue,
    confirmedEnd: catalogue?.confirmedEnd,
    shownAs: isLive ? undefined : SANDBOX_NAME,
    timing,
  });
}
