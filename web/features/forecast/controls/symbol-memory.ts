/** Remembers, for this tab, the symbol that stood there when its user last picked something. */
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';

const KEY = 'kat-symbol';

export function rememberSymbol({ label }: MarketSymbol): void {
  try {
    window.sessionStorage.setItem(KEY, label);
  } catch {
    // Storage is blocked or full: a reload then starts with the first symbol.
  }
}

/** Null until a signed-in user picked a symbol or a model in this tab: from then on the picture is theirs to choose. */
export function pickedSymbol(): MarketSymbol | null {
  try {
    return symbolOfLabel(window.sessionStorage.getItem(KEY) ?? '');
  } catch {
    // Storage is blocked.
    return null;
  }
}
