/** Builds one product's order book from its messages, and returns the part to show. */
import { applyChanges } from '#domain/market/book/coinbase-messages.ts';
import { type BookLevel, OrderBook } from '#domain/market/book/order-book.ts';
import type { LiveEvent } from './order-book-api.ts';

export interface BookFrame {
  /** Best first, never empty. */
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

export interface BookReader {
  /** @returns whether there is something new to show */
  take(event: LiveEvent): boolean;
  /** The connection was lost: updates are invalid until the next snapshot. */
  break(): void;
  /** Null without a valid book: no snapshot yet, an empty side, or a crossed book. */
  frame(levels: number): BookFrame | null;
}

export function createBookReader(): BookReader {
  const book = new OrderBook();
  let hasSnapshot = false;

  return {
    take(event) {
      if (event.kind === 'snapshot') {
        book.load(event.bids, event.asks);
        hasSnapshot = true;
        return true;
      }
      if (event.kind !== 'update' || !hasSnapshot) return false;
      applyChanges(book, event.changes);
      return true;
    },
    break() {
      hasSnapshot = false;
    },
    frame(levels) {
      if (!hasSnapshot || book.isCrossed) return null;
      const [bids, asks] = [book.top('bid', levels), book.top('ask', levels)];
      return bids.length === 0 || asks.length === 0 ? null : { bids, asks };
    },
  };
}
