/** One relay lane with its product and readers, for tests. A test drives it with messages of the venue. */
import { applyChanges, parseFeedMessage } from '#domain/market/book/coinbase-messages.ts';
import { OrderBook } from '#domain/market/book/order-book.ts';
import type { RelayReader } from '../../platform/sockets/relay-reader.ts';
import { BookLane } from '../books/book-relay-lane.ts';
import { type FrameSink, readExchangeFrame } from '../books/coinbase-exchange.ts';
import { BOOK_TIMING, ProductBook } from '../books/product-book.ts';

export const TIME = '2025-11-12T15:00:00.000Z';
export const PRODUCT = 'BTC-USD';

export interface TestReader extends RelayReader {
  /** While true it accepts no frame. */
  isStuck: boolean;
  texts: string[];
  book: OrderBook;
}

export function aReader(): TestReader {
  const reader: TestReader = {
    isStuck: false,
    texts: [],
    book: new OrderBook(),
    offer(frame) {
      if (reader.isStuck) return false;
      // The header has two bytes up to 125 bytes of text, four up to 64 KB.
      const text = frame.subarray(frame.length < 128 ? 2 : 4).toString();
      reader.texts.push(text);
      const event = parseFeedMessage(text);
      if (event.kind === 'snapshot') reader.book.load(event.bids, event.asks);
      if (event.kind === 'update') applyChanges(reader.book, event.changes);
      return true;
    },
    get isDrained() {
      return !reader.isStuck;
    },
  };
  return reader;
}

export function aWorld() {
  const time = { ms: 0 };
  const product = new ProductBook(BOOK_TIMING, 0);
  const counters = { frames: 0, snapshots: 0 };
  const live = () => ({
    revision: product.revision,
    soundBook: product.isSound ? product.book : null,
    ticker: product.ticker,
    lastTradeId: product.lastTradeId,
    isFresh: product.isFresh(time.ms),
    idleMs: product.idleMs(time.ms),
  });
  const lane = new BookLane(PRODUCT, 'book', live, counters, () => time.ms);
  const sink: FrameSink = {
    snapshot: (id, bids, asks) => id === PRODUCT && product.load(bids, asks, 0),
    update: (id, change) => id === PRODUCT && product.update(change, 0),
    ticker: (ticker) => product.applyTicker(ticker, 0),
    heartbeat: (_id, lastTradeId) => product.heartbeat(time.ms, lastTradeId),
    refused() {},
    malformed() {},
  };
  product.heartbeat(0);
  return {
    time,
    product,
    lane,
    counters,
    send: (message: unknown) => readExchangeFrame(JSON.stringify(message) ?? '', sink),
  };
}

export const snapshot = (bids: unknown, asks: unknown) => ({ type: 'snapshot', product_id: PRODUCT, bids, asks });
export const update = (changes: unknown) => ({ type: 'l2update', product_id: PRODUCT, time: TIME, changes });
export const prices = (reader: TestReader) =>
  (['bid', 'ask'] as const).map((s) => reader.book.top(s, 999).map((l) => l.price));
