/** Products of the catalogue that were chosen in this browser, so that a page knows them before any answer arrives. */
import { useSyncExternalStore } from 'react';
import * as z from 'zod/mini';
import { type CataloguedFields, cataloguedSymbol } from '#domain/market/catalogue/catalogued-symbol.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { pageState } from '../page-state.ts';
import { storedValue } from '../ui/browser/stored-value.ts';

const MAX_KNOWN = 12;

const schema = z.array(
  z.object({ label: z.string(), exc: z.string(), sym: z.string(), tickSize: z.number().check(z.positive()) }),
);
const stored = storedValue<CataloguedFields[]>('localStorage', 'kat-markets', schema);

const page = pageState(() => ({
  /** The last chosen first. */
  symbols: (stored.read() ?? []).map(cataloguedSymbol) as readonly MarketSymbol[],
  listeners: new Set<() => void>(),
}));

/** One of the ten or a known product, by its label or code, in any case: 'eth', 'LINK/USDT', 'LINKUSDT.P'. */
export function knownSymbol(name: string): MarketSymbol | null {
  const wanted = name.toLowerCase();
  const all: readonly MarketSymbol[] = [...SYMBOLS, ...page().symbols];
  return all.find(({ label, sym }) => [label, sym].some((each) => each.toLowerCase() === wanted)) ?? null;
}

/** @returns the same symbol from now on */
export function rememberMarket(symbol: MarketSymbol): MarketSymbol {
  const known = knownSymbol(symbol.sym) ?? symbol;
  if (SYMBOLS.some(({ sym }) => sym === known.sym)) return known;
  const state = page();
  state.symbols = [known, ...state.symbols.filter((one) => one !== known)].slice(0, MAX_KNOWN);
  stored.write(state.symbols.map(({ label, exc, sym, tickSize }) => ({ label, exc, sym, tickSize })));
  for (const listener of state.listeners) listener();
  return known;
}

/** The last chosen first. */
export function useKnownMarkets(): readonly MarketSymbol[] {
  return useSyncExternalStore(
    (listener) => {
      const { listeners } = page();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => page().symbols,
    () => NONE,
  );
}

const NONE: readonly MarketSymbol[] = [];
