/** Symbols by the names that requests use: the ten of the picker, or any product of the catalogue. */
import type { AppError } from '#domain/errors/app-error.ts';
import { findSymbol, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';

export interface SymbolLookup {
  /**
   * A product that can be read and forecast now; null for a name that no product has there.
   * @throws AppError `market/delisted`, `market/halted`; `venue/unavailable` while no list of products could be read
   */
  tradedSymbol(exc: string, sym: string, signal: AbortSignal): Promise<MarketSymbol | null>;
  /** In any status, for what was saved before. @throws AppError `venue/unavailable` */
  savedSymbol(sym: string, signal: AbortSignal): Promise<MarketSymbol | null>;
  /** From memory, without a call: null also before the lists were read. */
  knownSymbol(sym: string): MarketSymbol | null;
  /** Why a product has no prices any more: `market/delisted`, `market/halted`. From memory; null while it trades. */
  endOf(sym: string): AppError | null;
}

const specified = (sym: string): MarketSymbol | null => SYMBOLS.find((symbol) => symbol.sym === sym) ?? null;

/** Where no catalogue is read. */
export const ONLY_SPECIFIED: SymbolLookup = {
  tradedSymbol: async (exc, sym) => findSymbol(exc, sym),
  savedSymbol: async (sym) => specified(sym),
  knownSymbol: specified,
  endOf: () => null,
};

const CODE = /^[A-Z0-9.!]{1,20}$/;

export type FindSymbol = (exc: string, sym: string) => MarketSymbol | null;

/**
 * How a request's `exc` and `sym` are looked up while its query is parsed. One of the ten and a malformed name cause no
 * call. @throws AppError as SymbolLookup.tradedSymbol
 */
export async function lookupFor(
  params: URLSearchParams,
  symbols: SymbolLookup,
  signal: AbortSignal,
): Promise<FindSymbol> {
  const [exc, sym] = [params.get('exc') ?? '', params.get('sym') ?? ''];
  if (!CODE.test(exc) || !CODE.test(sym) || specified(sym) !== null) return findSymbol;
  const found = await symbols.tradedSymbol(exc, sym, signal);
  return (wantedExc, wantedSym) => (wantedExc === exc && wantedSym === sym ? found : null);
}
