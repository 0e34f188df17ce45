/** Opens the search for products, whose code and field are the command palette's. */
import { useEffect } from 'react';

const EVENT = 'kat-market-search';

export function openMarketSearch(): void {
  document.dispatchEvent(new Event(EVENT));
}

export function useMarketSearch(open: () => void): void {
  useEffect(() => {
    document.addEventListener(EVENT, open);
    return () => document.removeEventListener(EVENT, open);
  }, [open]);
}
