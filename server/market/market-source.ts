/** Where the market comes from: the real services, or the sandbox in the place of all of them. */
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedAddresses, FeedKeys } from '../platform/config/config-market.ts';

export interface MarketSource {
  kind: MarketKind;
  kindOf(symbol: MarketSymbol): MarketKind;
  /** One line for people. */
  detail: string;
  /** Whose order book and ticker the live socket carries. */
  bookSource: string;
  addresses: FeedAddresses;
  /** The market's own time where it is known to differ from ours; services that tell none are judged by it. */
  clock?: Clock;
  keys: FeedKeys;
}
