/** The sandbox market's Coinbase products, and the shapes of their order books. */
import { SYMBOLS } from '#domain/market/symbols.ts';
import type { BookShape } from './book.ts';

/** A slot is about 0.3 basis points wide; a typical level is worth some ten thousand dollars. */
const SIZES: Readonly<Record<string, Pick<BookShape, 'slotTicks' | 'size' | 'sizeDecimals'>>> = {
  'BTC-USD': { slotTicks: 20, size: 0.15, sizeDecimals: 8 },
  'ETH-USD': { slotTicks: 10, size: 3.5, sizeDecimals: 8 },
  'SOL-USD': { slotTicks: 5, size: 60, sizeDecimals: 3 },
  'DOGE-USD': { slotTicks: 1, size: 25_000, sizeDecimals: 1 },
};

/** By product id. Prices use the tick size of the symbol whose trades the product shows. */
export const BOOK_SHAPES: Readonly<Record<string, BookShape>> = Object.fromEntries(
  SYMBOLS.flatMap(({ bookProductId, tickSize, decimals }) => {
    const sizes = bookProductId === null ? undefined : SIZES[bookProductId];
    if (bookProductId === null || sizes === undefined) return [];
    return [[bookProductId, { tickSize, priceDecimals: decimals, ...sizes }]];
  }),
);
