/** Whether the order book that belongs to a market by its code is of the same coin. */
import { useEffect, useState } from 'react';
import type { MarketSymbol } from '#domain/market/symbols.ts';

/** @returns the symbol, without its book while the prices of the two are far apart, and whether they are */
export function useOwnBook(symbol: MarketSymbol): { symbol: MarketSymbol; isOtherCoin: boolean } {
  const [otherSym, setOtherSym] = useState('');
  const { sym, label, bookProductId } = symbol;
  useEffect(() => {
    // The books of the ten are chosen by hand.
    if (!bookProductId || !label.includes('/')) return;
    const shown = new AbortController();
    import('./compare-book-api.ts')
      .then(({ compareBook }) =>
        compareBook(sym, bookProductId, shown.signal, (isOther) => setOtherSym(isOther ? sym : '')),
      )
      // Without its code, the book is shown as before.
      .catch(() => undefined);
    return () => shown.abort();
  }, [sym, label, bookProductId]);
  const isOtherCoin = otherSym === sym;
  return { symbol: isOtherCoin ? { ...symbol, bookProductId: null } : symbol, isOtherCoin };
}
