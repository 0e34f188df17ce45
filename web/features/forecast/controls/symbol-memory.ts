/** Stores, for this tab, the symbol shown when its user last picked a symbol or model. */
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { storedText } from '../../../ui/browser/stored-value.ts';

/** If it can't be stored, a reload starts with the first symbol. */
const stored = storedText('sessionStorage', 'kat-symbol');

export function rememberSymbol({ label }: MarketSymbol): void {
  stored.write(label);
}

/**
 * Null until a signed-in user picked a symbol or a model in this tab; after that, nothing else may replace the chart.
 */
export function pickedSymbol(): MarketSymbol | null {
  return symbolOfLabel(stored.read() ?? '');
}
