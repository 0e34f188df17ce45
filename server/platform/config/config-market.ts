import { resolve } from 'node:path';
import * as z from 'zod/mini';
import type { FeedAddresses } from './addresses.ts';
import { type Refuse, readPair } from './setting-values.ts';

const optionalText = z.optional(z.string().check(z.minLength(1)));

/** Venues of one-minute candles, in the product's default order. */
export const CANDLE_VENUE_IDS = ['binance', 'bybit', 'okx', 'alpaca', 'databento'] as const;
export type CandleVenueId = (typeof CANDLE_VENUE_IDS)[number];

export const MARKET_FIELDS = {
  MARKET: z._default(z.enum(['auto', 'live', 'sandbox']), 'auto'),
  /** Folder of recordings that the sandbox market replays. */
  MARKET_DATA_DIR: z.optional(z.string()),
  /** A CSV file of scheduled releases in place of the shipped one. */
  RELEASES_FILE: z.optional(z.string()),
  /** Comma-separated candle venues, the preferred one first; venues not listed are never called. */
  VENUE_ORDER: z._default(z.string(), CANDLE_VENUE_IDS.join(',')),
  /** `<key id>:<secret>`. */
  ALPACA_KEY: optionalText,
  DATABENTO_KEY: optionalText,
  /** A demo key, or `paid:<key>`: the plan decides header, period and monthly budget. */
  COINGECKO_KEY: optionalText,
  COINMARKETCAP_KEY: optionalText,
};

/** Null: the feed has no key, and calls that need one are not made. */
export interface FeedKeys {
  alpaca: { keyId: string; secretKey: string } | null;
  databento: string | null;
  coingecko: { key: string; plan: 'demo' | 'paid' } | null;
  coinmarketcap: string | null;
}

export interface MarketConfig {
  choice: 'auto' | 'live' | 'sandbox';
  dataDir: string | null;
  /** Null: the schedule that ships with the server. */
  releasesFile: string | null;
  venueOrder: readonly CandleVenueId[];
  addresses: FeedAddresses;
  keys: FeedKeys;
}

const fieldsSchema = z.object(MARKET_FIELDS);
export type MarketFields = z.output<typeof fieldsSchema>;

export function toMarketConfig(e: MarketFields, addresses: FeedAddresses, refuse: Refuse): MarketConfig {
  const alpaca = e.ALPACA_KEY === undefined ? null : readPair(e.ALPACA_KEY, 'ALPACA_KEY', refuse);
  const { COINGECKO_KEY: coingecko } = e;
  const [, paidKey = null] = /^paid:(.+)$/.exec(coingecko ?? '') ?? [];
  return {
    choice: e.MARKET,
    dataDir: e.MARKET_DATA_DIR === undefined ? null : resolve(e.MARKET_DATA_DIR),
    releasesFile: e.RELEASES_FILE === undefined ? null : resolve(e.RELEASES_FILE),
    venueOrder: toVenueOrder(e.VENUE_ORDER, refuse),
    addresses,
    keys: {
      alpaca: alpaca === null ? null : { keyId: alpaca[0], secretKey: alpaca[1] },
      databento: e.DATABENTO_KEY ?? null,
      coingecko:
        coingecko === undefined ? null : { key: paidKey ?? coingecko, plan: paidKey === null ? 'demo' : 'paid' },
      coinmarketcap: e.COINMARKETCAP_KEY ?? null,
    },
  };
}

function toVenueOrder(text: string, refuse: Refuse): CandleVenueId[] {
  const wanted = text.split(',').map((name) => name.trim());
  const order = wanted.map((name) => CANDLE_VENUE_IDS.find((id) => id === name) ?? refuse(unknownVenue(name)));
  return [...new Set(order)];
}

function unknownVenue(name: string): string {
  return `VENUE_ORDER names '${name}'. Known are ${CANDLE_VENUE_IDS.join(', ')}.`;
}
