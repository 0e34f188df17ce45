/** The sandbox market's Coinbase products, and the shapes of their order books. */
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { bookLevelsOf } from '../simulation/simulation-profile.ts';
import type { BookShape } from './book.ts';

/** By product id. Prices use the tick size of the symbol whose trades the product shows. */
export const BOOK_SHAPES: Readonly<Record<string, BookShape>> = Object.fromEntries(
  SYMBOLS.flatMap((symbol: MarketSymbol) => {
    const { bookProductId, tickSize, decimals } = symbol;
    if (bookProductId === null) return [];
    return [[bookProductId, { tickSize, priceDecimals: decimals, ...bookLevelsOf(symbol) }]];
  }),
);
