/** A product as a venue lists it. Parsed once, at the border; everything behind it uses this type. */

/** Venues whose product lists are read, with the codes that requests use for them. */
export const CATALOGUE_EXCHANGES = {
  binance: 'BINANCE',
  bybit: 'BYBIT',
  okx: 'OKX',
  coinbase: 'COINBASE',
  kraken: 'KRAKEN',
} as const;
export type CatalogueVenue = keyof typeof CATALOGUE_EXCHANGES;

export type ProductKind = 'spot' | 'perpetual';
export type ProductStatus = 'trading' | 'halted' | 'delisted';

export interface CatalogueMarket {
  venue: CatalogueVenue;
  /** As Kat writes it: LINKUSDT.P for a perpetual, LINKUSD for spot. The same on every venue. */
  sym: string;
  /** The venue's own name: LINKUSDT, LINK-USDT-SWAP, LINK-USD, XLINKZUSD ... */
  productId: string;
  base: string;
  quote: string;
  kind: ProductKind;
  status: ProductStatus;
  /** Smallest price step, in the quote currency. */
  tickSize: number;
  /** Epoch seconds; null where the venue does not say. */
  listedAtS: number | null;
}

/** Longest `sym` and label: requests and saved predictions hold no longer one. */
const MAX_LENGTH = 20;

/** Perpetuals of other quotes are not offered. That makes a name on screen unique: LINK/USDT is the perpetual. */
const PERPETUAL_QUOTES: readonly string[] = ['USDT', 'USDC'];

/** Upper-case letters and digits, as in `exc` and `sym` of requests. */
const ASSET = /^[A-Z0-9]{1,16}$/;

export interface ProductNames {
  /** LINKUSDT.P or LINKUSD. */
  sym: string;
  /** On screen, and in saved predictions: LINK/USDT for the perpetual, LINK/USD and LINK/USDT spot for spot. */
  label: string;
}

/** Null for a product that is not offered, because no request or saved prediction could name it. */
export function namesOf(base: string, quote: string, kind: ProductKind): ProductNames | null {
  const isPerpetual = kind === 'perpetual';
  const hasOwnQuote = PERPETUAL_QUOTES.includes(quote);
  if (!ASSET.test(base) || !ASSET.test(quote) || (isPerpetual && !hasOwnQuote)) return null;
  const sym = base + quote + (isPerpetual ? '.P' : '');
  const label = `${base}/${quote}${!isPerpetual && hasOwnQuote ? ' spot' : ''}`;
  return Math.max(sym.length, label.length) <= MAX_LENGTH ? { sym, label } : null;
}
