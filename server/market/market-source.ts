/** Where the market comes from: the real services, or the sandbox in the place of all of them. */
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { FeedAddresses, FeedKeys } from '../platform/config-market.ts';

export interface MarketSource {
  kind: MarketKind;
  kindOf(symbol: MarketSymbol): MarketKind;
  /** One line for people. */
  detail: string;
  /** Whose order book and ticker the live socket carries. */
  bookSource: string;
  addresses: FeedAddresses;
  keys: FeedKeys;
}
