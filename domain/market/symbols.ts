/** The picker's symbols in its order (R-FORECAST-3); a row holds all that venues, charts and samples need. */

export type AssetClass = 'crypto' | 'equity' | 'metal' | 'index' | 'energy';

/** Crypto trades around the clock; the others follow their exchange's hours. */
export type HoursId = 'always' | 'nasdaq' | 'comex' | 'ice-us' | 'nymex';

export interface MarketSymbol {
  /** Label in the picker, and the value of `cryptocurrency` in a saved prediction. */
  label: string;
  /** Query parameter `exc`: the default exchange code. */
  exc: string;
  /** Query parameter `sym`. */
  sym: string;
  assetClass: AssetClass;
  hours: HoursId;
  /** Smallest price step of the venue, in the quote currency. */
  tickSize: number;
  decimals: number;
  /** Coinbase product whose order book is shown beside it; null without one ('DoM not available'). */
  bookProductId: string | null;
  /** Decimals of prices in the order book (R-BOOK-4). */
  bookDecimals: number;
  /** Base asset per contract of OKX's USDT swap; null for symbols that OKX does not trade. */
  okxContractSize: number | null;
  /** Kraken's spot pair against the dollar, for charts of years; null without one. */
  kraken: { name: string; key: string; aliases: readonly string[] } | null;
  /** Price and standard deviation of one-minute log returns (basis points) of sample and simulated candles. */
  sample: { price: number; sdBp: number };
}

export const SYMBOLS = [
  {
    label: 'BTC',
    exc: 'BINANCE',
    sym: 'BTCUSDT.P',
    assetClass: 'crypto',
    hours: 'always',
    tickSize: 0.1,
    decimals: 1,
    bookProductId: 'BTC-USD',
    bookDecimals: 0,
    okxContractSize: 0.01,
    kraken: { name: 'XBTUSD', key: 'XXBTZUSD', aliases: ['BTCUSD', 'XBT/USD', 'BTC/USD', 'XXBTZUSD'] },
    sample: { price: 100_000, sdBp: 4.2 },
  },
  {
    label: 'ETH',
    exc: 'BINANCE',
    sym: 'ETHUSDT.P',
    assetClass: 'crypto',
    hours: 'always',
    tickSize: 0.01,
    decimals: 2,
    bookProductId: 'ETH-USD',
    bookDecimals: 1,
    okxContractSize: 0.1,
    kraken: { name: 'ETHUSD', key: 'XETHZUSD', aliases: ['ETH/USD', 'XETHZUSD'] },
    sample: { price: 3500, sdBp: 7.3 },
  },
  {
    label: 'SOL',
    exc: 'BINANCE',
    sym: 'SOLUSDT.P',
    assetClass: 'crypto',
    hours: 'always',
    tickSize: 0.001,
    decimals: 3,
    bookProductId: 'SOL-USD',
    bookDecimals: 2,
    okxContractSize: 1,
    kraken: { name: 'SOLUSD', key: 'SOLUSD', aliases: ['SOL/USD'] },
    sample: { price: 180, sdBp: 10 },
  },
  {
    label: 'DOGE',
    exc: 'BINANCE',
    sym: 'DOGEUSDT.P',
    assetClass: 'crypto',
    hours: 'always',
    tickSize: 0.00001,
    decimals: 5,
    bookProductId: 'DOGE-USD',
    bookDecimals: 4,
    okxContractSize: 1000,
    kraken: { name: 'XDGUSD', key: 'XDGUSD', aliases: ['DOGEUSD', 'XDG/USD', 'DOGE/USD'] },
    sample: { price: 0.22, sdBp: 9.7 },
  },
  {
    label: 'MSFT',
    exc: 'NASDAQ',
    sym: 'MSFT',
    assetClass: 'equity',
    hours: 'nasdaq',
    tickSize: 0.01,
    decimals: 2,
    bookProductId: null,
    bookDecimals: 2,
    okxContractSize: null,
    kraken: null,
    sample: { price: 480, sdBp: 9.3 },
  },
  {
    label: 'AAPL',
    exc: 'NASDAQ',
    sym: 'AAPL',
    assetClass: 'equity',
    hours: 'nasdaq',
    tickSize: 0.01,
    decimals: 2,
    bookProductId: null,
    bookDecimals: 2,
    okxContractSize: null,
    kraken: null,
    sample: { price: 265, sdBp: 12.8 },
  },
  {
    label: 'TSLA',
    exc: 'NASDAQ',
    sym: 'TSLA',
    assetClass: 'equity',
    hours: 'nasdaq',
    tickSize: 0.01,
    decimals: 2,
    bookProductId: null,
    bookDecimals: 2,
    okxContractSize: null,
    kraken: null,
    sample: { price: 400, sdBp: 20.9 },
  },
  {
    label: 'Gold',
    exc: 'COMEX',
    sym: 'GC1!',
    assetClass: 'metal',
    hours: 'comex',
    tickSize: 0.01,
    decimals: 2,
    bookProductId: null,
    bookDecimals: 2,
    okxContractSize: null,
    kraken: null,
    sample: { price: 4100, sdBp: 4.4 },
  },
  {
    label: 'DXY',
    exc: 'ICEUS',
    sym: 'DX1!',
    assetClass: 'index',
    hours: 'ice-us',
    tickSize: 0.005,
    decimals: 3,
    bookProductId: null,
    bookDecimals: 3,
    okxContractSize: null,
    kraken: null,
    sample: { price: 100, sdBp: 1.2 },
  },
  {
    label: 'Oil',
    exc: 'NYMEX',
    sym: 'CL1!',
    assetClass: 'energy',
    hours: 'nymex',
    tickSize: 0.01,
    decimals: 2,
    bookProductId: null,
    bookDecimals: 2,
    okxContractSize: null,
    kraken: null,
    sample: { price: 62, sdBp: 6 },
  },
] as const satisfies readonly MarketSymbol[];

export const DEFAULT_SYMBOL: MarketSymbol = SYMBOLS[0];

/** Exchange codes that requests may use for crypto perpetuals. */
const CRYPTO_EXCHANGES: readonly string[] = ['BINANCE', 'BYBIT', 'OKX'];

/** The table's row for a pair of query parameters, or null, so that nothing outside the table ever reaches a venue. */
export function findSymbol(exc: string, sym: string): MarketSymbol | null {
  const row = SYMBOLS.find((s) => s.sym === sym);
  if (!row) return null;
  const isKnownVenue = row.assetClass === 'crypto' ? CRYPTO_EXCHANGES.includes(exc) : row.exc === exc;
  return isKnownVenue ? row : null;
}

/** Whether a name is one of the specified symbols, not another product of the venues. */
export function isSpecified(sym: string): boolean {
  return SYMBOLS.some((symbol) => symbol.sym === sym);
}

/** The symbol of a Coinbase product's order book; null for an unknown product. */
export function symbolOfBookProduct(productId: string): MarketSymbol | null {
  return SYMBOLS.find((s) => s.bookProductId === productId) ?? null;
}

export function symbolOfLabel(label: string): MarketSymbol | null {
  return SYMBOLS.find((s) => s.label === label) ?? null;
}

/** Source of prices, shown on every screen that draws them. */
export const MARKET_KINDS = ['live', 'replayed', 'simulated'] as const;
export type MarketKind = (typeof MARKET_KINDS)[number];
