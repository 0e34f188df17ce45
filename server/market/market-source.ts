import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedAddresses } from '../platform/config/addresses.ts';
import type { FeedKeys } from '../platform/config/config-market.ts';

export interface MarketSource {
  kind: MarketKind;
  kindOf(symbol: MarketSymbol): MarketKind;
  /** When a replayed minute was recorded, epoch seconds. A replay that starts again goes back in this time. */
  recordedAtS?(symbol: MarketSymbol, timeS: number): number | null;
  /** One line for users. */
  detail: string;
  /** Source of the live socket's order book and ticker. */
  bookSource: string;
  addresses: FeedAddresses;
  /** The market's own time where it is known to differ from ours; used for services that report no time. */
  clock?: Clock;
  keys: FeedKeys;
}
