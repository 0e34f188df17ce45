/** The environment settings of the market: the order of venues, each feed's address, and the keys that some need. */
import * as z from 'zod/mini';

const optionalText = z.optional(z.string().check(z.minLength(1)));
const webUrl = z.url({ protocol: /^https?$/ });
const socketUrl = z.url({ protocol: /^wss?$/ });
const positive = z.coerce.number().check(z.positive());

/** Venues of one-minute candles, in the product's default order. */
export const CANDLE_VENUE_IDS = ['binance', 'bybit', 'okx', 'alpaca', 'databento'] as const;
export type CandleVenueId = (typeof CANDLE_VENUE_IDS)[number];

export const MARKET_FIELDS = {
  MARKET: z._default(z.enum(['auto', 'live', 'sandbox']), 'auto'),
  MARKET_DATA_DIR: z.optional(z.string()),
  MARKET_SPEED: z._default(positive.check(z.lte(3600)), 1),
  MARKET_SEED: z._default(z.string().check(z.maxLength(100)), 'kat'),
  MARKET_START: z.optional(z.iso.datetime({ offset: true })),
  /** Opens /dev/market-faults, which breaks the sandbox market on purpose. Refused in production. */
  MARKET_FAULTS: z.optional(z.enum(['0', '1'])),
  /** Comma-separated candle venues, the preferred one first; venues not listed are never called. */
  VENUE_ORDER: z._default(z.string(), CANDLE_VENUE_IDS.join(',')),
  BINANCE_REST_URL: z._default(webUrl, 'https://fapi.binance.com'),
  BINANCE_WS_URL: z._default(socketUrl, 'wss://fstream.binance.com'),
  BYBIT_REST_URL: z._default(webUrl, 'https://api.bybit.com'),
  BYBIT_WS_URL: z._default(socketUrl, 'wss://stream.bybit.com'),
  OKX_REST_URL: z._default(webUrl, 'https://www.okx.com'),
  OKX_WS_URL: z._default(socketUrl, 'wss://ws.okx.com:8443'),
  COINBASE_REST_URL: z._default(webUrl, 'https://api.exchange.coinbase.com'),
  COINBASE_WS_URL: z._default(socketUrl, 'wss://ws-feed.exchange.coinbase.com'),
  KRAKEN_REST_URL: z._default(webUrl, 'https://api.kraken.com'),
  ALPACA_REST_URL: z._default(webUrl, 'https://data.alpaca.markets'),
  ALPACA_WS_URL: z._default(socketUrl, 'wss://stream.data.alpaca.markets'),
  ALPACA_KEY_ID: optionalText,
  ALPACA_SECRET_KEY: optionalText,
  DATABENTO_REST_URL: z._default(webUrl, 'https://hist.databento.com'),
  DATABENTO_KEY: optionalText,
  COINGECKO_REST_URL: z._default(webUrl, 'https://api.coingecko.com'),
  COINGECKO_KEY: optionalText,
  /** The plan of the key, which decides header, period and monthly budget. */
  COINGECKO_PLAN: z._default(z.enum(['demo', 'paid']), 'demo'),
  COINMARKETCAP_REST_URL: z._default(webUrl, 'https://pro-api.coinmarketcap.com'),
  COINMARKETCAP_KEY: optionalText,
  FEAR_GREED_REST_URL: z._default(webUrl, 'https://api.alternative.me'),
  CALENDAR_URL: z._default(webUrl, 'https://nfs.faireconomy.media/ff_calendar_thisweek.json'),
};

/** Base addresses without a trailing slash; only `calendarUrl` is complete. The sandbox market has one of each. */
export interface FeedAddresses {
  binance: { restUrl: string; wsUrl: string };
  bybit: { restUrl: string; wsUrl: string };
  okx: { restUrl: string; wsUrl: string };
  coinbase: { restUrl: string; wsUrl: string };
  kraken: { restUrl: string };
  alpaca: { restUrl: string; wsUrl: string };
  databento: { restUrl: string };
  coingecko: { restUrl: string };
  coinmarketcap: { restUrl: string };
  fearGreed: { restUrl: string };
  calendarUrl: string;
}

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
  speed: number;
  seed: string;
  startMs: number | null;
  hasFaultControl: boolean;
  venueOrder: readonly CandleVenueId[];
  addresses: FeedAddresses;
  keys: FeedKeys;
}

const fieldsSchema = z.object(MARKET_FIELDS);
export type MarketFields = z.output<typeof fieldsSchema>;

/** @param refuse  called with a message when the settings contradict each other */
export function toMarketConfig(
  e: MarketFields,
  dataDir: string | null,
  refuse: (sentence: string) => never,
): MarketConfig {
  const both = (rest: string, ws: string) => ({ restUrl: base(rest), wsUrl: base(ws) });
  return {
    choice: e.MARKET,
    dataDir,
    speed: e.MARKET_SPEED,
    seed: e.MARKET_SEED,
    startMs: e.MARKET_START === undefined ? null : Date.parse(e.MARKET_START),
    hasFaultControl: e.MARKET_FAULTS === '1',
    venueOrder: toVenueOrder(e.VENUE_ORDER, refuse),
    addresses: {
      binance: both(e.BINANCE_REST_URL, e.BINANCE_WS_URL),
      bybit: both(e.BYBIT_REST_URL, e.BYBIT_WS_URL),
      okx: both(e.OKX_REST_URL, e.OKX_WS_URL),
      coinbase: both(e.COINBASE_REST_URL, e.COINBASE_WS_URL),
      kraken: { restUrl: base(e.KRAKEN_REST_URL) },
      alpaca: both(e.ALPACA_REST_URL, e.ALPACA_WS_URL),
      databento: { restUrl: base(e.DATABENTO_REST_URL) },
      coingecko: { restUrl: base(e.COINGECKO_REST_URL) },
      coinmarketcap: { restUrl: base(e.COINMARKETCAP_REST_URL) },
      fearGreed: { restUrl: base(e.FEAR_GREED_REST_URL) },
      calendarUrl: e.CALENDAR_URL,
    },
    keys: {
      alpaca: alpacaKeys(e, refuse),
      databento: e.DATABENTO_KEY ?? null,
      coingecko: e.COINGECKO_KEY === undefined ? null : { key: e.COINGECKO_KEY, plan: e.COINGECKO_PLAN },
      coinmarketcap: e.COINMARKETCAP_KEY ?? null,
    },
  };
}

function base(url: string): string {
  return url.replace(/\/+$/, '');
}

function toVenueOrder(text: string, refuse: (sentence: string) => never): CandleVenueId[] {
  const wanted = text.split(',').map((name) => name.trim());
  const order = wanted.map((name) => CANDLE_VENUE_IDS.find((id) => id === name) ?? refuse(unknownVenue(name)));
  return [...new Set(order)];
}

function unknownVenue(name: string): string {
  return `VENUE_ORDER names '${name}'. Known are ${CANDLE_VENUE_IDS.join(', ')}.`;
}

function alpacaKeys(e: MarketFields, refuse: (sentence: string) => never): FeedKeys['alpaca'] {
  const { ALPACA_KEY_ID: keyId, ALPACA_SECRET_KEY: secretKey } = e;
  if (keyId === undefined && secretKey === undefined) return null;
  if (keyId === undefined || secretKey === undefined)
    return refuse('ALPACA_KEY_ID and ALPACA_SECRET_KEY are set together or not at all.');
  return { keyId, secretKey };
}
