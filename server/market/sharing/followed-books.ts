/** A leader's order books, rebuilt from its messages. A book that may lack an update is hidden until a snapshot. */
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import { OrderBook } from '#domain/market/book/order-book.ts';
import type { LiveProduct } from '../books/book-source.ts';
import { type BookMessage, bookRequestsSubject, booksSubject, readBookMessage } from './book-messages.ts';
import { type MarketSharing, NewestTerm } from './sharing.ts';

/** A leader sends two keep-alives a second: without one for this long its books do not count as live. */
const STALE_MS = 1500;
/** Minimum time between snapshot requests, which cost the leader and all followers. */
const REQUEST_INTERVAL_MS = 250;

export interface FollowedBooks {
  product(productId: string): LiveProduct | null;
  readonly gaps: number;
  readonly malformed: number;
  /** Milliseconds since the leader's last message; null before the first. */
  idleMs(): number | null;
  close(): void;
}

interface Followed {
  term: number;
  sequence: number;
  revision: number;
  book: OrderBook;
  isComplete: boolean;
  ticker: TickerEvent | null;
  lastTradeId: number | undefined;
  isFresh: boolean;
  idleMs: number;
  atMs: number;
}

/** @param nowMs  monotonic; a test passes its own */
export function followBooks(
  { bus, prefix }: Pick<MarketSharing, 'bus' | 'prefix'>,
  productIds: readonly string[],
  nowMs: () => number = () => performance.now(),
): FollowedBooks {
  const terms = new NewestTerm();
  const followed = new Map(productIds.map((id) => [id, nothingFollowed()]));
  let gaps = 0;
  let malformed = 0;
  let requestedAtMs = Number.NEGATIVE_INFINITY;
  let lastMessageAtMs: number | null = null;

  function handleMessage(raw: unknown): void {
    const message = readBookMessage(raw);
    const one = message === null ? undefined : followed.get(message.productId);
    if (message === null || one === undefined) {
      malformed += 1;
      return;
    }
    if (!terms.accepts(message.term)) return;
    lastMessageAtMs = nowMs();
    if (message.term !== one.term || message.sequence !== one.sequence + 1) {
      // Another leader's numbers are no continuation.
      if (message.term === one.term) gaps += 1;
      one.isComplete = false;
    }
    apply(one, message, lastMessageAtMs);
    if (!one.isComplete) requestSnapshot();
  }

  function requestSnapshot(): void {
    if (nowMs() - requestedAtMs < REQUEST_INTERVAL_MS) return;
    requestedAtMs = nowMs();
    bus.publish(bookRequestsSubject(prefix), null);
  }

  const stop = bus.subscribe(booksSubject(prefix), handleMessage);
  requestSnapshot();

  return {
    product(productId) {
      const one = followed.get(productId);
      if (one === undefined) return null;
      const agoMs = nowMs() - one.atMs;
      return {
        revision: one.revision,
        soundBook: one.isComplete ? one.book : null,
        ticker: one.ticker,
        lastTradeId: one.lastTradeId,
        isFresh: one.isFresh && one.isComplete && agoMs < STALE_MS,
        idleMs: one.idleMs + Math.min(agoMs, Number.MAX_SAFE_INTEGER),
      };
    },
    get gaps() {
      return gaps;
    },
    get malformed() {
      return malformed;
    },
    idleMs: () => (lastMessageAtMs === null ? null : nowMs() - lastMessageAtMs),
    close: stop,
  };
}

function apply(one: Followed, message: BookMessage, nowMs: number): void {
  const { term, sequence, isFresh, silentMs: idleMs = 0, lastTradeId, ticker, whole, changes } = message;
  Object.assign(one, { term, sequence, isFresh, idleMs, lastTradeId, atMs: nowMs });
  if (whole !== undefined) {
    one.book.load(whole.bids, whole.asks);
    one.isComplete = true;
    one.revision += 1;
  } else if (changes !== undefined && one.isComplete) {
    for (const [side, price, size] of changes) one.book.apply(side, price, size);
    one.revision += 1;
  }
  // Each full snapshot repeats the ticker: the same price is no news to readers.
  if (ticker !== undefined && !isSameTicker(ticker, one.ticker)) {
    one.ticker = ticker;
    one.revision += 1;
  }
}

function isSameTicker(a: TickerEvent, b: TickerEvent | null): boolean {
  return b !== null && a.sequence === b.sequence && a.tradeId === b.tradeId && a.price === b.price && a.time === b.time;
}

function nothingFollowed(): Followed {
  return {
    term: 0,
    sequence: 0,
    revision: 0,
    book: new OrderBook(),
    isComplete: false,
    ticker: null,
    lastTradeId: undefined,
    isFresh: false,
    idleMs: 0,
    atMs: Number.NEGATIVE_INFINITY,
  };
}
