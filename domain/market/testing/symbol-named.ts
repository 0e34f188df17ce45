import { type MarketSymbol, symbolOfLabel } from '../symbols.ts';

/** @throws Error for a label that the picker does not have */
export function symbolNamed(label: string): MarketSymbol {
  const symbol = symbolOfLabel(label);
  if (symbol === null) throw new Error(`The picker has no symbol ${label}.`);
  return symbol;
}
