/** Products of the catalogue that were chosen in this browser, so that a page knows them before any answer arrives. */
import { useSyncExternalStore } from 'react';
import { cataloguedSymbol } from '#domain/market/catalogue/catalogued-symbol.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { pageState } from '../../page-state.ts';
import { storedText } from '../../ui/browser/stored-value.ts';

const MAX_KNOWN = 12;
/** One a line: 'LINK/USDT|BINANCE|LINKUSDT.P|0.001|LINK-USD'. Read by hand, as every page loads this before its first paint. */
const stored = storedText('localStorage', 'kat-markets');

function readStored(): readonly MarketSymbol[] {
  return (stored.read() ?? '').split('\n').flatMap((line) => {
    const [label = '', exc = '', sym = '', tick = '', bookProductId] = line.split('|');
    const tickSize = Number(tick);
    return tickSize > 0 && sym ? [cataloguedSymbol({ label, exc, sym, tickSize, bookProductId })] : [];
  });
}

const page = pageState(() => ({
  /** The last chosen first. */
  symbols: readStored(),
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
  const ten: readonly MarketSymbol[] = SYMBOLS;
  if (ten.includes(known)) return known;
  const state = page();
  state.symbols = [known, ...state.symbols.filter((one) => one !== known)].slice(0, MAX_KNOWN);
  const lines = state.symbols.map(({ label, exc, sym, tickSize, bookProductId }) =>
    [label, exc, sym, tickSize, bookProductId].join('|'),
  );
  stored.write(lines.join('\n'));
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
