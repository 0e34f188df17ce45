/** The spread of the order book on this page: told by whoever draws it, for whoever reckons with it. */
import { useCallback, useSyncExternalStore } from 'react';

let shown: { productId: string; spreadBp: number } | null = null;
const listeners = new Set<() => void>();

/** @param spreadBp  basis points of the middle; null: the book is gone. What is no spread is not told */
export function tellBookSpread(productId: string, spreadBp: number | null): void {
  if (spreadBp === null) {
    if (shown?.productId === productId) shown = null;
  } else if (spreadBp >= 0 && Number.isFinite(spreadBp)) shown = { productId, spreadBp };
  for (const listener of listeners) listener();
}

/** Null while no book of this product is on the page. */
export function useBookSpread(productId: string | null): number | null {
  const read = useCallback(() => (shown?.productId === productId ? shown.spreadBp : null), [productId]);
  return useSyncExternalStore(listen, read, () => null);
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
