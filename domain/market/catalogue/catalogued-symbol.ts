import { decimalText } from '../codecs/decimal-text.ts';
import type { MarketSymbol } from '../symbols.ts';

/** What distinguishes a product of the catalogue; everything else of it follows. */
export type CataloguedFields = Pick<MarketSymbol, 'label' | 'exc' | 'sym' | 'tickSize'>;

export function cataloguedSymbol({ label, exc, sym, tickSize }: CataloguedFields): MarketSymbol {
  const decimals = decimalText(tickSize).split('.')[1]?.length ?? 0;
  return {
    ...{ label, exc, sym, tickSize, decimals },
    assetClass: 'crypto',
    hours: 'always',
    bookProductId: null,
    bookDecimals: decimals,
    okxContractSize: null,
    kraken: null,
    // Venues set ticks to about a hundredth of a percent of the price.
    sample: { price: tickSize * 10_000, sdBp: 10 },
  };
}
