/** Whether the order book that belongs to a market by its code is of the same coin. */
import { useEffect, useState } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { compareBook } from './compare-book-api.ts';

/** @returns the symbol, or another one without a book while the prices of the two are far apart */
export function useOwnBook(symbol: MarketSymbol): MarketSymbol {
  const [bookless, setBookless] = useState<MarketSymbol | null>(null);
  const { sym, label, bookProductId } = symbol;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one symbol may come as several objects
  useEffect(() => {
    // The books of the ten are chosen by hand.
    if (!bookProductId || !label.includes('/')) return;
    return compareBook(sym, bookProductId, (isOther) =>
      setBookless(isOther ? { ...symbol, bookProductId: null } : null),
    );
  }, [sym, bookProductId]);
  return bookless?.sym === sym ? bookless : symbol;
}
