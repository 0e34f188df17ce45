/** The spread of the order book on this page, published by the order book for other widgets. */
import { useCallback, useSyncExternalStore } from 'react';
import { pageState } from '../page-state.ts';

interface SpreadState {
  shown: { productId: string; spreadBp: number } | null;
  listeners: Set<() => void>;
}

const state = pageState<SpreadState>(() => ({ shown: null, listeners: new Set() }));

/** @param spreadBp  basis points of the mid price; null if there is no book any more. Invalid spreads are ignored. */
export function publishBookSpread(productId: string, spreadBp: number | null): void {
  const page = state();
  if (spreadBp === null) {
    if (page.shown?.productId === productId) page.shown = null;
  } else if (spreadBp >= 0 && Number.isFinite(spreadBp)) page.shown = { productId, spreadBp };
  for (const listener of page.listeners) listener();
}

/** Null while no book of this product is on the page. */
export function useBookSpread(productId: string | null): number | null {
  const read = useCallback(() => spreadOf(state(), productId), [productId]);
  return useSyncExternalStore(listen, read, () => null);
}

function listen(onChange: () => void): () => void {
  const { listeners } = state();
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

function spreadOf({ shown }: SpreadState, productId: string | null): number | null {
  return shown?.productId === productId ? shown.spreadBp : null;
}
