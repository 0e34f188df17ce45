/** Where order books come from. A source keeps whole books; whoever shows them looks when it wants to. */
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import type { OrderBook } from '#domain/market/book/order-book.ts';

/** One product as its source has it now. */
export interface LiveProduct {
  /** Rises with every change of book or ticker, so that looking is cheap. */
  readonly revision: number;
  /** Whole and uncrossed; null while the source has none like that: what was shown last stands. */
  readonly soundBook: OrderBook | null;
  /** The newest; its best prices never cross. Null until one came. */
  readonly ticker: TickerEvent | null;
  /** The newest trade as the venue's last heartbeat names it: may be ahead of the ticker. Absent: it names none. */
  readonly lastTradeId?: number | undefined;
  /** Heartbeats come and the book is sound. */
  readonly isFresh: boolean;
  /** Milliseconds since the venue's last heartbeat; absent where the source has none. */
  readonly silentMs?: number;
}

/** For operators: all counted since the start. */
export interface BookCounters {
  connections: number;
  /** Messages that never came, as the numbering shows. */
  gaps: number;
  /** Frames and single levels that were refused. */
  malformed: number;
  /** Answers of the venue that said no. */
  refusals: number;
  /** New connections for a book that stayed crossed, disagreed with the ticker, fell silent or never came. */
  crossed: number;
  disagreed: number;
  silent: number;
  missing: number;
  /** New connections for no reason but that a loss may have gone unnoticed. */
  renewed: number;
}

export interface OpenBooks {
  /** Null for a product that was not asked for. */
  product(productId: string): LiveProduct | null;
  counters(): BookCounters;
}

export interface BookSource {
  readonly id: string;
  /** Whose book it is, as the screen names it. */
  readonly attribution: string;
  /** One connection for all products, from now until `signal` aborts; it comes back by itself. */
  open(productIds: readonly string[], signal: AbortSignal): OpenBooks;
}
