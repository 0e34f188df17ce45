/** What one venue lists: those of the ten that it trades, and generated products, under its own names. */
import type { CatalogueMarket, CatalogueVenue } from '#domain/market/catalogue/market.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { ListedSymbol } from '../market-sources.ts';
import type { SandboxProducts } from './open-products.ts';

export interface VenueListing {
  find(productId: string): ListedSymbol | undefined;
  /** The venue's list of products. */
  markets(): CatalogueMarket[];
}

export interface VenueListingOptions {
  venue: CatalogueVenue;
  listing: readonly ListedSymbol[];
  products: SandboxProducts;
  /** The venue's name of one of the ten; null for one that it does not trade. */
  idOf(symbol: MarketSymbol): string | null;
  /** Spot prices are quoted in dollars, perpetuals in USDT. */
  kind?: CatalogueMarket['kind'];
}

export function venueListing({
  venue,
  listing,
  products,
  idOf,
  kind = 'perpetual',
}: VenueListingOptions): VenueListing {
  const specified = new Map(
    listing.flatMap((listed) => {
      const id = listed.symbol.assetClass === 'crypto' ? idOf(listed.symbol) : null;
      return id === null ? [] : [[id, listed] as const];
    }),
  );

  function marketOf(productId: string, { symbol, source }: ListedSymbol): CatalogueMarket {
    const [base, quote] = [symbol.label, kind === 'perpetual' ? 'USDT' : 'USD'];
    const sym = kind === 'perpetual' ? symbol.sym : base + quote;
    const { tickSize } = symbol;
    return { venue, sym, productId, base, quote, kind, status: 'trading', tickSize, listedAtS: source.firstS };
  }

  return {
    find: (productId) => specified.get(productId) ?? products.find(venue, productId),
    markets: () => [...[...specified].map(([id, listed]) => marketOf(id, listed)), ...products.markets(venue)],
  };
}
