/** Stores, for this tab, the symbol shown when its user last picked a symbol or model. */
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';

const KEY = 'kat-symbol';

export function rememberSymbol({ label }: MarketSymbol): void {
  try {
    window.sessionStorage.setItem(KEY, label);
  } catch {
    // Storage is blocked or full: a reload then starts with the first symbol.
  }
}

/**
 * Null until a signed-in user picked a symbol or a model in this tab. After that, nothing else may replace the chart.
 */
export function pickedSymbol(): MarketSymbol | null {
  try {
    return symbolOfLabel(window.sessionStorage.getItem(KEY) ?? '');
  } catch {
    // Storage is blocked.
    return null;
  }
}
