/** Finds a symbol of the picker by its label, so that a test does not depend on the order of the list. */
import { type MarketSymbol, symbolOfLabel } from '../symbols.ts';

/** @throws Error for a label that the picker does not have */
export function symbolNamed(label: string): MarketSymbol {
  const symbol = symbolOfLabel(label);
  if (symbol === null) throw new Error(`The picker has no symbol ${label}.`);
  return symbol;
}
