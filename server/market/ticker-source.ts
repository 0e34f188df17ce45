/** Last prices of products that have no order book. */
import type { TickerEvent } from '#domain/market/coinbase-messages.ts';

export interface TickerSource {
  readonly productIds: readonly string[];
  /** Null until a price is known. The object is another one when the price is. */
  latest(productId: string): TickerEvent | null;
  /** The source works, whether its market trades at this hour or not. */
  isFresh(productId: string): boolean;
}
