/** Whether a site shows the real market and takes real money: the server writes it into each document. */
import { MARKET_KINDS, type MarketKind } from '../market/symbols.ts';

/** The attribute of the root element, for style sheets and badges. Built documents have this one, which says nothing. */
export const UNKNOWN_ENVIRONMENT = 'data-environment="unknown"';

/** @param takesRealMoney  false also where nothing can be bought */
export function environmentAttribute(market: MarketKind, takesRealMoney: boolean): string {
  return `data-environment="${market} ${takesRealMoney ? 'real' : 'no'}-money"`;
}

/** @param environment  the attribute's value. @returns null if it is unknown */
export function marketOf(environment: string | undefined): MarketKind | null {
  const named = environment?.split(' ') ?? [];
  return MARKET_KINDS.find((kind) => named.includes(kind)) ?? null;
}
