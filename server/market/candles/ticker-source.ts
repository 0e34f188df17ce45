/** Last prices of products without an order book. */
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';

export interface TickerSource {
  readonly productIds: readonly string[];
  /** Null until a price is known. A new price comes as a new object. */
  latest(productId: string): TickerEvent | null;
  /**
   * The source works: its price is current, or its market is closed and the price says so (`origin.isOpen`). Heartbeats
   * are sent only then.
   */
  isFresh(productId: string): boolean;
}
