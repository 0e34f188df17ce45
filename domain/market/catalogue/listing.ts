/** One product as readers find it, whichever venues have it: the ten of the picker first, then the catalogue. */
import { type MarketSymbol, SYMBOLS } from '../symbols.ts';
import { cataloguedSymbol } from './catalogued-symbol.ts';
import { coinNameOf } from './coin-names.ts';
import type { LISTING_KINDS } from './listing-kinds.ts';
import { CATALOGUE_EXCHANGES, type CatalogueMarket, namesOf, type ProductStatus } from './market.ts';

export interface Listing {
  symbol: MarketSymbol;
  base: string;
  /** The coin's name where we know one; empty otherwise. */
  name: string;
  quote: string;
  kind: (typeof LISTING_KINDS)[number];
  status: ProductStatus;
  /** Exchange codes that requests may use, the one that is read first in front. */
  exchanges: readonly string[];
  /** By the venue that lists it longest, epoch seconds; null where none says. */
  listedAtS: number | null;
  /** Each venue's own row; none for a symbol of the ten that no catalogue holds. */
  markets: readonly CatalogueMarket[];
}

/** A product is marked new for this long. */
const NEW_S = 30 * 86_400;

export function isNewAt({ listedAtS }: Pick<Listing, 'listedAtS'>, nowS: number): boolean {
  return listedAtS !== null && nowS - listedAtS < NEW_S;
}

/** Popular ones first. @param markets  of all venues, the venue that is read first in front */
export function listingsOf(markets: readonly CatalogueMarket[]): Listing[] {
  const bySym = Map.groupBy(markets, ({ sym }) => sym);
  const specified = SYMBOLS.map((symbol) => specifiedListing(symbol, bySym.get(symbol.sym) ?? []));
  const known = new Set<string>(SYMBOLS.map(({ sym }) => sym));
  const bookIds = bookIdsOf(markets);
  const others = [...bySym].flatMap(([sym, rows]) => (known.has(sym) ? [] : [catalogued(rows, bookIds)]));
  return [...specified, ...others.sort(byPopularity)];
}

function specifiedListing(symbol: MarketSymbol, markets: readonly CatalogueMarket[]): Listing {
  const isCoin = symbol.assetClass === 'crypto';
  return {
    symbol,
    base: symbol.label.toUpperCase(),
    name: coinNameOf(symbol.label) ?? '',
    quote: isCoin ? 'USDT' : 'USD',
    kind: isCoin ? 'perpetual' : symbol.assetClass === 'equity' ? 'share' : 'future',
    // The venues of the ten are read whatever their lists say, so a list never takes one off the picker.
    status: 'trading',
    exchanges: isCoin ? [symbol.exc, ...exchangesOf(markets).filter((exc) => exc !== symbol.exc)] : [symbol.exc],
    listedAtS: listedSince(markets),
    markets,
  };
}

/** By coin: the pair whose order book is shown, Coinbase's against the dollar, as for the ten. */
function bookIdsOf(markets: readonly CatalogueMarket[]): ReadonlyMap<string, string> {
  const isBook = ({ venue, quote, status }: CatalogueMarket) =>
    venue === 'coinbase' && quote === 'USD' && status === 'trading';
  return new Map(markets.filter(isBook).map(({ base, productId }) => [base, productId]));
}

function catalogued(markets: readonly CatalogueMarket[], bookIds: ReadonlyMap<string, string>): Listing {
  const serving = markets.find(({ status }) => status === 'trading') ?? markets[0];
  if (serving === undefined) throw new Error('a listing has at least one market');
  const { base, quote, kind, sym } = serving;
  const label = namesOf(base, quote, kind)?.label ?? sym;
  const bookProductId = bookIds.get(base) ?? null;
  return {
    symbol: cataloguedSymbol({ ...serving, label, exc: CATALOGUE_EXCHANGES[serving.venue], bookProductId }),
    base,
    quote,
    kind,
    name: coinNameOf(base) ?? '',
    status: statusOf(markets),
    exchanges: exchangesOf([serving, ...markets]),
    listedAtS: listedSince(markets),
    markets,
  };
}

/** A product trades while one venue trades it. */
function statusOf(markets: readonly CatalogueMarket[]): ProductStatus {
  const has = (status: ProductStatus): boolean => markets.some((market) => market.status === status);
  if (has('trading')) return 'trading';
  return has('halted') ? 'halted' : 'delisted';
}

function exchangesOf(markets: readonly CatalogueMarket[]): string[] {
  return [...new Set(markets.map(({ venue }) => CATALOGUE_EXCHANGES[venue]))];
}

function listedSince(markets: readonly CatalogueMarket[]): number | null {
  const known = markets.flatMap(({ listedAtS }) => listedAtS ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** The more venues and the longer, the more popular: lists say nothing about turnover. */
function byPopularity(a: Listing, b: Listing): number {
  return (
    Number(a.status === 'delisted') - Number(b.status === 'delisted') ||
    b.exchanges.length - a.exchanges.length ||
    (a.listedAtS ?? Number.MAX_SAFE_INTEGER) - (b.listedAtS ?? Number.MAX_SAFE_INTEGER) ||
    (a.symbol.sym < b.symbol.sym ? -1 : 1)
  );
}
