/** The order book's only external input: the live connection, and one product's book built from its messages. */
import { applyChanges } from '#domain/market/book/coinbase-messages.ts';
import { type BookLevel, OrderBook } from '#domain/market/book/order-book.ts';
import { liveFeed } from '../../platform/live/live-feed.ts';
import type { LiveEvent, LiveWatcher } from '../../platform/live/live-socket.ts';

export { liveNowMs } from '../../platform/live/live-feed.ts';
export type { LiveStatus } from '../../platform/live/live-socket.ts';

export function watchBook(productId: string, watcher: LiveWatcher): () => void {
  return liveFeed().watch(productId, ['level2'], watcher);
}

export interface BookFrame {
  /** Best first, never empty. */
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

interface BookReader {
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
