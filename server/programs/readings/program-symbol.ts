import { AppError } from '#domain/errors/app-error.ts';
import { type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';

/**
 * A product by its code alone, at the exchange that is read first for it.
 * @throws AppError `market/unknown-symbol`, `market/delisted`, `market/halted`, `venue/unavailable`
 */
export async function programSymbol(symbols: SymbolLookup, sym: string, signal: AbortSignal): Promise<MarketSymbol> {
  const specified = SYMBOLS.find((symbol) => symbol.sym === sym);
  if (specified !== undefined) return specified;
  const found = await symbols.savedSymbol(sym, signal);
  if (found === null) throw new AppError('market/unknown-symbol', { details: { parameter: 'symbol' } });
  const ended = symbols.endOf(sym);
  if (ended !== null) throw ended;
  return found;
}
