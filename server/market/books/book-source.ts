/** Live books and prices as readers see them, whichever venue or process they come from. */
import type { CandlesEvent, TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import type { OrderBook } from '#domain/market/book/order-book.ts';

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
  readonly idleMs?: number;
  /** Absent for a product of an order book, as is the market's own time, epoch milliseconds. */
  readonly candles?: CandlesEvent | null;
  readonly marketMs?: number | null;
}

/** For operators: totals since the start. */
export interface BookCounters {
  connections: number;
  /** Messages lost between processes; a venue's updates carry no number. */
  gaps: number;
  /** Rejected frames and single levels. */
  malformed: number;
  refusals: number;
  /** Reconnects for a book that stayed crossed, disagreed with the ticker, stopped responding, or never arrived. */
  crossed: number;
  disagreed: number;
  unresponsive: number;
  missing: number;
  /** Scheduled reconnects, in case a loss went unnoticed. */
  renewed: number;
}

const NO_COUNTS: BookCounters = {
  connections: 0,
  gaps: 0,
  malformed: 0,
  refusals: 0,
  crossed: 0,
  disagreed: 0,
  unresponsive: 0,
  missing: 0,
  renewed: 0,
};

/** Null counts as nothing. */
export function sumOfCounters(...counters: readonly (BookCounters | null)[]): BookCounters {
  const sum = { ...NO_COUNTS };
  for (const one of counters) for (const name of NAMES) sum[name] += one?.[name] ?? 0;
  return sum;
}

const NAMES = Object.keys(NO_COUNTS) as (keyof BookCounters)[];

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

/** Prices of products by their candles' code. */
export interface TickerSource {
  readonly productIds: readonly string[];
  /** Null until a price is known. A new price comes as a new object. */
  latest(productId: string): TickerEvent | null;
  /** The newest minutes; null until known. A change comes as a new object. */
  candles(productId: string): CandlesEvent | null;
  /** Milliseconds since the product's venue last sent anything, if that is longer than it should be; else 0. */
  idleMs(productId: string): number;
  /** The market's own time, epoch milliseconds; null until known. */
  marketMs(productId: string): number | null;
  /**
   * The source works: its price is current, or its market is closed and the price says so (`origin.isOpen`). Heartbeats
   * are sent only then.
   */
  isFresh(productId: string): boolean;
}
