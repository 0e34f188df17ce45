/** Reads a venue's list of products row by row, so that one bad row costs only itself. */
import { decimalOf } from '../codecs/decimal.ts';
import { type CatalogueMarket, type CatalogueVenue, namesOf, type ProductKind, type ProductStatus } from './market.ts';

export interface ProductList {
  markets: readonly CatalogueMarket[];
  /** Rows that could not be read. Products that Kat does not offer are not counted. */
  malformed: number;
}

/** A product that Kat does not offer: a dated future, an option, a name that requests cannot hold. */
export const NOT_OFFERED = 'not offered';

export type ReadProduct = CatalogueMarket | typeof NOT_OFFERED | null;

/** No venue has as many; the rest of a longer list is not read. */
export const MAX_PRODUCTS = 5000;

/** The first row of a `sym` wins. @param read  null for a malformed row */
export function readProducts(rows: readonly unknown[], read: (row: unknown) => ReadProduct): ProductList {
  const bySym = new Map<string, CatalogueMarket>();
  let malformed = 0;
  for (const row of rows.slice(0, MAX_PRODUCTS)) {
    const product = read(row);
    if (product === null) malformed += 1;
    else if (product !== NOT_OFFERED && !bySym.has(product.sym)) bySym.set(product.sym, product);
  }
  return { markets: [...bySym.values()], malformed };
}

export interface ProductFields {
  venue: CatalogueVenue;
  productId: string;
  base: string;
  quote: string;
  kind: ProductKind;
  status: ProductStatus;
  /** Decimal text, or a number. */
  tick: unknown;
  listedAtMs: number | null;
}

/** Prices of nothing that trades move in larger or smaller steps. */
const TICKS = { min: 1e-12, max: 1e6 };
/** Names go into URLs: no other character may. */
const PRODUCT_ID = /^[A-Za-z0-9._-]{1,40}$/;
/** Before the first exchange, or in milliseconds where seconds belong: not a time of listing. */
const LISTED = { minMs: Date.UTC(2009, 0, 3), maxMs: Date.UTC(2100, 0, 1) };

export function toMarket({ tick, listedAtMs, ...fields }: ProductFields): ReadProduct {
  const tickSize = decimalOf(tick);
  if (!(tickSize >= TICKS.min && tickSize <= TICKS.max)) return null;
  const names = namesOf(fields.base, fields.quote, fields.kind);
  if (names === null || !PRODUCT_ID.test(fields.productId)) return NOT_OFFERED;
  const isListed = listedAtMs !== null && listedAtMs >= LISTED.minMs && listedAtMs <= LISTED.maxMs;
  return { ...fields, sym: names.sym, tickSize, listedAtS: isListed ? Math.floor(listedAtMs / 1000) : null };
}
