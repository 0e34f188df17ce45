/** The sandbox market as a server's venue: where candles come from, and what is told of them. */
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { SandboxMarket } from './sandbox-market.ts';

export interface SandboxVenue {
  venueId: string;
  restUrl: string;
  wsUrl: string;
  symbols: readonly MarketSymbol[];
  kind: MarketKind;
  kindOf(symbol: MarketSymbol): MarketKind;
  /** One line for people. */
  detail: string;
}

export function candleVenue(sandbox: SandboxMarket): SandboxVenue {
  const { restUrl, wsUrl, kind } = sandbox;
  return {
    venueId: 'sandbox',
    restUrl,
    wsUrl,
    symbols: SYMBOLS,
    kind,
    kindOf: (symbol) => sandbox.kindOf(symbol.sym),
    detail: `sandbox market, ${kind === 'replayed' ? 'recorded candles replayed' : 'simulated candles'}`,
  };
}
