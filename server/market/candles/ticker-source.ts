/** Last prices of products that have no order book. */
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';

export interface TickerSource {
  readonly productIds: readonly string[];
  /** Null until a price is known. The object is another one when the price is. */
  latest(productId: string): TickerEvent | null;
  /**
   * The source works: its price is of now, or its market is closed and the price says so (`origin.isOpen`). Only then do
   * heartbeats go out.
   */
  isFresh(productId: string): boolean;
}
