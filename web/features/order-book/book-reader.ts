/** One product's order book as its messages tell it, and the part of it that is shown. */
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
  /** The connection was lost: updates mean nothing until the next snapshot. */
  break(): void;
  /** Null while nothing fit to be shown has come: no snapshot, an empty side, a crossed book. */
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
