/**
 * At most twenty changes a second, a keep-alive twice a second, and full snapshots for followers that lost a message.
 */
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import { type BookWindow, windowChanges, windowOf } from '#domain/market/book/order-book-window.ts';
import type { LiveProduct, OpenBooks } from '../books/book-source.ts';
import { type BookMessage, bookRequestsSubject, booksSubject, SHARED_LEVELS } from './book-messages.ts';
import type { MarketSharing } from './sharing.ts';

export interface PublisherTiming {
  frameMs: number;
  aliveMs: number;
  /** Interval of unrequested full snapshots, against unnoticed losses. */
  snapshotMs: number;
}

export interface PublisherOptions extends Pick<MarketSharing, 'bus' | 'prefix'> {
  term: number;
  books: OpenBooks;
  productIds: readonly string[];
  timing?: Partial<PublisherTiming> | undefined;
}

const TIMING: PublisherTiming = { frameMs: 50, aliveMs: 500, snapshotMs: 10_000 };

interface Sent {
  sequence: number;
  revision: number;
  window: BookWindow | null;
  ticker: TickerEvent | null;
  isFresh: boolean;
  atMs: number;
  snapshotAtMs: number;
}

export function publishBooks({ bus, prefix, term, books, productIds, ...options }: PublisherOptions): () => void {
  const timing = { ...TIMING, ...options.timing };
  const subject = booksSubject(prefix);
  const sent = new Map(productIds.map((id) => [id, nothingSent()]));

  function publishDue(): void {
    const nowMs = performance.now();
    for (const [productId, last] of sent) {
      const live = books.product(productId);
      if (live === null) continue;
      const isSame = live.revision === last.revision && live.isFresh === last.isFresh;
      const isDue = nowMs - last.snapshotAtMs >= timing.snapshotMs;
      if (isSame && !isDue && nowMs - last.atMs < timing.aliveMs) continue;
      const message = nextMessage(productId, live, last, isDue, nowMs);
      // Not sent: followers notice the gap in the numbers, and a full snapshot follows.
      if (!bus.publish(subject, message)) last.snapshotAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  function nextMessage(productId: string, live: LiveProduct, last: Sent, isDue: boolean, nowMs: number): BookMessage {
    const { soundBook, ticker, isFresh, idleMs, lastTradeId } = live;
    const message: BookMessage = { term, productId, sequence: last.sequence + 1, isFresh };
    if (idleMs !== undefined) message.silentMs = Math.round(idleMs);
    if (lastTradeId !== undefined) message.lastTradeId = lastTradeId;
    if (ticker !== null && (ticker !== last.ticker || isDue)) message.ticker = ownFields(ticker);
    if (soundBook !== null) {
      const window = windowOf(soundBook, SHARED_LEVELS);
      if (last.window === null || isDue) {
        message.whole = { bids: window.bids.map(toRow), asks: window.asks.map(toRow) };
        last.snapshotAtMs = nowMs;
      } else {
        const changes = windowChanges(last.window, window);
        if (changes.length > 0) message.changes = changes.map(({ side, price, size }) => [side, price, size]);
      }
      last.window = window;
    }
    Object.assign(last, { sequence: message.sequence, revision: live.revision, ticker, isFresh, atMs: nowMs });
    return message;
  }

  const unsubscribe = bus.subscribe(bookRequestsSubject(prefix), () => {
    for (const last of sent.values()) last.snapshotAtMs = Number.NEGATIVE_INFINITY;
  });
  const timer = setInterval(publishDue, timing.frameMs).unref();
  return () => {
    clearInterval(timer);
    unsubscribe();
  };
}

function nothingSent(): Sent {
  const never = Number.NEGATIVE_INFINITY;
  return { sequence: 0, revision: -1, window: null, ticker: null, isFresh: false, atMs: never, snapshotAtMs: never };
}

function toRow({ price, size }: { price: number; size: number }): [number, number] {
  return [price, size];
}

/** Drops `origin`, which a venue's own ticker does not have. */
function ownFields({ origin, ...ticker }: TickerEvent): Omit<TickerEvent, 'origin'> {
  return ticker;
}
