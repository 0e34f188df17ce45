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

export interface Market {
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

/** Longest `sym`: saved predictions and requests hold no longer one. */
export const MAX_SYM_LENGTH = 20;

/** Upper-case letters and digits, as in `exc` and `sym` of requests. */
const ASSET = /^[A-Z0-9]{1,16}$/;

/** Null for an asset that no request could name. */
export function symOf(base: string, quote: string, kind: ProductKind): string | null {
  if (!ASSET.test(base) || !ASSET.test(quote)) return null;
  const sym = base + quote + (kind === 'perpetual' ? '.P' : '');
  return sym.length <= MAX_SYM_LENGTH ? sym : null;
}
