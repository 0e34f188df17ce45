/** The sandbox market's Coinbase products, and the shapes of their order books. */
import { SYMBOLS } from '#domain/market/symbols.ts';
import { BOOK_LEVELS } from '../simulation/simulation-profile.ts';
import type { BookShape } from './book.ts';

/** By product id. Prices use the tick size of the symbol whose trades the product shows. */
export const BOOK_SHAPES: Readonly<Record<string, BookShape>> = Object.fromEntries(
  SYMBOLS.flatMap(({ sym, bookProductId, tickSize, decimals }) =>
    bookProductId === null ? [] : [[bookProductId, { tickSize, priceDecimals: decimals, ...BOOK_LEVELS[sym] }]],
  ),
);
