/** The sandbox market as a server's market: its addresses and keys, and its description. */
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { SandboxAddresses, SandboxMarket } from './sandbox-market.ts';

/** Keys that the sandbox accepts; real ones never reach it. */
const KEYS = {
  alpaca: { keyId: 'sandbox', secretKey: 'sandbox' },
  databento: 'sandbox',
  coingecko: { key: 'sandbox', plan: 'demo' },
  coinmarketcap: 'sandbox',
} as const;

export interface SandboxSource {
  kind: MarketKind;
  kindOf(symbol: MarketSymbol): MarketKind;
  /** Epoch seconds; null for a simulated minute and a missing one. */
  recordedAtS(symbol: MarketSymbol, timeS: number): number | null;
  detail: string;
  bookSource: string;
  addresses: SandboxAddresses;
  /** The market's own time, which may run faster than the product's. */
  clock: Clock;
  keys: typeof KEYS;
}

export function sandboxSource(sandbox: SandboxMarket): SandboxSource {
  const { addresses, kind } = sandbox;
  return {
    kind,
    kindOf: (symbol) => sandbox.kindOf(symbol.sym),
    recordedAtS: (symbol, timeS) => sandbox.sourceTimeOf(symbol.sym, timeS),
    detail: `sandbox market, ${kind === 'replayed' ? 'recorded candles replayed' : 'simulated candles'}`,
    bookSource: 'Sandbox market',
    addresses,
    clock: sandbox.clock,
    keys: KEYS,
  };
}
