import { decimalsOf } from '../../format/price.ts';
import type { MarketSymbol } from '../symbols.ts';

/** What distinguishes a product of the catalogue; everything else of it follows. */
export interface CataloguedFields extends Pick<MarketSymbol, 'label' | 'exc' | 'sym' | 'tickSize'> {
  /** Absent or empty: none. */
  bookProductId?: string | null | undefined;
}

export function cataloguedSymbol({ label, exc, sym, tickSize, bookProductId }: CataloguedFields): MarketSymbol {
  const decimals = decimalsOf(tickSize);
  return {
    label,
    exc,
    sym,
    tickSize,
    decimals,
    bookProductId: bookProductId || null,
    assetClass: 'crypto',
    hours: 'always',
    bookDecimals: decimals,
    okxContractSize: null,
    kraken: null,
    // Venues set ticks to about a hundredth of a percent of the price.
    sample: { price: tickSize * 10_000, sdBp: 10 },
  };
}
