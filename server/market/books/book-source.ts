/** Where order books come from. A source maintains whole books; the consumer reads them when it needs to. */
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import type { OrderBook } from '#domain/market/book/order-book.ts';

/** The current state of one product. */
export interface LiveProduct {
  /** Rises with every change of book or ticker, so that polling is cheap. */
  readonly revision: number;
  /** Whole and uncrossed; null while the source has no such book: the last one stays shown. */
  readonly soundBook: OrderBook | null;
  /** The newest ticker; its best prices never cross. Null until the first arrives. */
  readonly ticker: TickerEvent | null;
  /** The newest trade in the venue's last heartbeat; may be ahead of the ticker. Absent when the heartbeat has none. */
  readonly lastTradeId?: number | undefined;
  /** Heartbeats arrive and the book is sound. */
  readonly isFresh: boolean;
  /** Milliseconds since the venue's last heartbeat; absent where the source has none. */
  readonly silentMs?: number;
}

/** For operators: totals since the start. */
export interface BookCounters {
  connections: number;
  /** Lost messages, detected by their numbering. */
  gaps: number;
  /** Rejected frames and single levels. */
  malformed: number;
  /** Refusals by the venue. */
  refusals: number;
  /** Reconnects for a book that stayed crossed, disagreed with the ticker, fell silent or never arrived. */
  crossed: number;
  disagreed: number;
  silent: number;
  missing: number;
  /** Scheduled reconnects, in case a loss went unnoticed. */
  renewed: number;
}

export interface OpenBooks {
  /** Null for a product that was not requested. */
  product(productId: string): LiveProduct | null;
  counters(): BookCounters;
}

export interface BookSource {
  readonly id: string;
  /** Name of the book's source on screen. */
  readonly attribution: string;
  /** Opens one connection for all products until `signal` aborts; it reconnects automatically. */
  open(productIds: readonly string[], signal: AbortSignal): OpenBooks;
}
