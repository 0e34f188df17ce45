/** Order books of Coinbase Advanced Trade, whose numbered messages reveal a loss immediately. */
import {
  advancedSides,
  advancedSubscriptions,
  applyAdvancedUpdates,
  parseAdvancedMessage,
} from '#domain/market/book/advanced-trade-messages.ts';
import { type BookFeedOptions, type FrameSink, openBookFeed } from './book-feed.ts';
import type { BookSource } from './book-source.ts';

export interface CoinbaseAdvancedOptions extends BookFeedOptions {
  wsUrl: string;
}

export function coinbaseAdvanced(options: CoinbaseAdvancedOptions): BookSource {
  return {
    id: 'coinbase-advanced',
    attribution: 'Coinbase Advanced Trade',
    open(productIds, signal) {
      const dialect = { url: options.wsUrl, reader, requests: advancedSubscriptions };
      return openBookFeed(dialect, productIds, signal, options);
    },
  };
}

/** Sequence numbers restart with each connection. */
function reader(sink: FrameSink): (text: string) => void {
  let last: number | null = null;
  return (text) => {
    const message = parseAdvancedMessage(text);
    const { sequence } = message;
    if (sequence !== null) {
      // A repeated or lower number is a gap too: the messages between were sent twice or not at all.
      if (last !== null && sequence !== last + 1) {
        sink.gap();
        return;
      }
      last = sequence;
    }
    if (message.kind === 'books') {
      sink.malformed(message.malformed);
      for (const { isSnapshot, productId, updates } of message.books) {
        if (!isSnapshot) sink.update(productId, (book) => applyAdvancedUpdates(book, updates));
        else {
          const { bids, asks } = advancedSides(updates);
          sink.snapshot(productId, bids, asks);
        }
      }
    } else if (message.kind === 'tickers') {
      sink.malformed(message.malformed);
      for (const ticker of message.tickers) sink.ticker(ticker);
    } else if (message.kind === 'heartbeat') sink.heartbeat(null);
    else if (message.kind === 'error') sink.refused(message.message);
    else if (message.kind === 'malformed') sink.malformed(1);
  };
}
