/** The first venue in order that has its keys, trades a symbol and has fresh candles serves it. */
import type { CatalogueVenue } from '#domain/market/catalogue/market.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { FeedAddresses } from '../../platform/config/addresses.ts';
import { CANDLE_VENUE_IDS, type CandleVenueId, type FeedKeys } from '../../platform/config/config-market.ts';
import { alpacaVenue } from './alpaca.ts';
import { binanceVenue } from './binance.ts';
import { bybitVenue } from './bybit.ts';
import { databentoVenue } from './databento.ts';
import { okxVenue } from './okx.ts';
import { coinbaseSpotVenue, krakenSpotVenue } from './spot-venue.ts';
import type { Venue, VenueOptions, VenueProducts } from './venue.ts';

export interface CandleVenueSettings {
  /** The preferred one first; venues not listed are never called. */
  order: readonly CandleVenueId[];
  addresses: FeedAddresses;
  keys: FeedKeys;
}

export interface CandleVenueParts extends Pick<VenueOptions, 'clock' | 'log' | 'fetch' | 'socketTiming'> {
  /** A venue's part of the catalogue. Absent: the venues serve the ten symbols only. */
  productsAt?: ((venue: CatalogueVenue) => VenueProducts) | undefined;
}

interface CandleVenue {
  name: string;
  /** The missing setting without which the venue is not called; null when complete. */
  missing(settings: CandleVenueSettings): string | null;
  /** Each venue takes the symbols that it trades. */
  open(settings: CandleVenueSettings, parts: CandleVenueParts): readonly Venue[];
}

const CRYPTO: readonly MarketSymbol[] = SYMBOLS.filter((symbol) => symbol.assetClass === 'crypto');

const VENUES: Readonly<Record<CandleVenueId, CandleVenue>> = {
  binance: {
    name: 'Binance USD-M',
    missing: () => null,
    open: ({ addresses }, parts) => [
      binanceVenue({ ...listed(parts, 'binance'), ...addresses.binance, symbols: CRYPTO }),
    ],
  },
  bybit: {
    name: 'Bybit',
    missing: () => null,
    open: ({ addresses }, parts) => [bybitVenue({ ...listed(parts, 'bybit'), ...addresses.bybit, symbols: CRYPTO })],
  },
  okx: {
    name: 'OKX',
    missing: () => null,
    open: ({ addresses }, parts) => [okxVenue({ ...listed(parts, 'okx'), ...addresses.okx, symbols: CRYPTO })],
  },
  alpaca: {
    name: 'Alpaca (IEX)',
    missing: ({ keys }) => (keys.alpaca === null ? 'ALPACA_KEY' : null),
    open: ({ addresses, keys }, parts) =>
      keys.alpaca === null ? [] : [alpacaVenue({ ...parts, ...addresses.alpaca, symbols: SYMBOLS, keys: keys.alpaca })],
  },
  databento: {
    name: 'Databento',
    missing: ({ keys }) => (keys.databento === null ? 'DATABENTO_KEY' : null),
    open: ({ addresses, keys }, parts) =>
      keys.databento === null
        ? []
        : [databentoVenue({ ...parts, ...addresses.databento, symbols: SYMBOLS, key: keys.databento })],
  },
};

/** Opens the venues; each connects on the first request for one of its symbols. */
export function openCandleVenues(settings: CandleVenueSettings, parts: CandleVenueParts): Venue[] {
  const venues = settings.order.flatMap((id) =>
    VENUES[id].missing(settings) === null ? VENUES[id].open(settings, parts) : [],
  );
  if (parts.productsAt === undefined) return venues;
  const { coinbase, kraken } = settings.addresses;
  // Spot pairs come from nowhere else, so no order is needed.
  const spot = [
    coinbaseSpotVenue({ ...listed(parts, 'coinbase'), ...coinbase }),
    krakenSpotVenue({ ...listed(parts, 'kraken'), ...kraken }),
  ];
  return [...venues, ...spot];
}

function listed(parts: CandleVenueParts, venue: CatalogueVenue): CandleVenueParts & Pick<VenueOptions, 'products'> {
  return { ...parts, products: parts.productsAt?.(venue) };
}

/** Venues whose product lists are read: those that serve candles, and the two of spot pairs. */
export function catalogueVenues({ order }: Pick<CandleVenueSettings, 'order'>): CatalogueVenue[] {
  const perpetual = order.filter((id) => id === 'binance' || id === 'bybit' || id === 'okx');
  return [...perpetual, 'coinbase', 'kraken'];
}

/** In a sandbox market every service answers, so every symbol has candles, whatever the settings leave out. */
export function inSandbox(settings: CandleVenueSettings): CandleVenueSettings {
  return { ...settings, order: [...new Set([...settings.order, ...CANDLE_VENUE_IDS])] };
}

/** Names of the venues that will be called, for a line shown to users. */
export function candleVenueNames(settings: CandleVenueSettings): string[] {
  return settings.order.filter((id) => VENUES[id].missing(settings) === null).map((id) => VENUES[id].name);
}

export function whyNoVenue(symbol: MarketSymbol): string {
  const needs = {
    crypto: 'VENUE_ORDER names none of Binance, Bybit and OKX',
    equity: 'shares need ALPACA_KEY',
    metal: 'it needs DATABENTO_KEY',
    index: 'it needs DATABENTO_KEY',
    energy: 'it needs DATABENTO_KEY',
  }[symbol.assetClass];
  return `No venue for ${symbol.label} is connected: ${needs}.`;
}
