/**
 * Order books of products beside the ten. Each has its own connection, so that a faulty one costs no other its book, and
 * is open only while a page reads it. They are not shared between processes: a process has few of them at a time.
 */
import { type BookCounters, type BookSource, type LiveProduct, type OpenBooks, sumOfCounters } from './book-source.ts';

export interface ReadBooks {
  /**
   * Opens the product's book, or finds it open. If too many are open, the one with the fewest readers yields, of several
   * the one that has been open longest, and opens again when there is room.
   * @param readersOf  how many read a book
   * @returns false while too many are open, and each only for a short time
   */
  open(productId: string, readersOf: (productId: string) => number): boolean;
  /** Null for a book that is not open. */
  product(productId: string): LiveProduct | null;
  /** Only these are read now; the others stay open for a moment, because a page that reloads reads them again. */
  keepOnly(productIds: ReadonlySet<string>): void;
  /** Of these books since the start. */
  counters(): BookCounters;
}

export interface ReadBooksOptions {
  source: BookSource;
  signal: AbortSignal;
  /** Books open at a time, in all. */
  maxBooks?: number;
  idleMs?: number;
  /** A book does not yield before. */
  heldMs?: number;
}

const MAX_BOOKS = 20;
const IDLE_MS = 30_000;
const HELD_MS = 60_000;

interface ReadBook {
  books: OpenBooks;
  end: AbortController;
  /** Monotonic. */
  openedAtMs: number;
  /** Monotonic; null while a page reads it. */
  unreadSinceMs: number | null;
}

export function openReadBooks({ source, signal, ...options }: ReadBooksOptions): ReadBooks {
  const { maxBooks = MAX_BOOKS, idleMs = IDLE_MS, heldMs = HELD_MS } = options;
  const open = new Map<string, ReadBook>();
  /** Those that yielded and are read, the first one first. */
  const yielded = new Set<string>();
  let past: BookCounters | null = null;

  function close(productId: string, { books, end }: ReadBook): void {
    past = sumOfCounters(past, books.counters());
    end.abort();
    open.delete(productId);
  }

  /** @param sinceMs  closes what has been unread since then or before */
  function closeUnread(sinceMs: number): void {
    for (const [id, one] of open) if (one.unreadSinceMs !== null && one.unreadSinceMs <= sinceMs) close(id, one);
  }

  function openNew(productId: string): void {
    const end = new AbortController();
    const books = source.open([productId], AbortSignal.any([signal, end.signal]));
    yielded.delete(productId);
    open.set(productId, { books, end, openedAtMs: performance.now(), unreadSinceMs: null });
  }

  function reopen(): void {
    for (const productId of yielded) {
      if (open.size >= maxBooks || signal.aborted) return;
      openNew(productId);
    }
  }

  function closeForAnother(readersOf: (productId: string) => number): void {
    const latestMs = performance.now() - heldMs;
    const longHeld = [...open].filter(([, { openedAtMs }]) => openedAtMs <= latestMs);
    const counted = longHeld.map(([id, book]) => ({ id, book, readers: readersOf(id) }));
    const [first] = counted.toSorted((a, b) => a.readers - b.readers || a.book.openedAtMs - b.book.openedAtMs);
    if (first === undefined) return;
    close(first.id, first.book);
    yielded.add(first.id);
  }

  const sweep = setInterval(
    () => {
      closeUnread(performance.now() - idleMs);
      reopen();
    },
    Math.max(10, idleMs / 4),
  ).unref();
  signal.addEventListener('abort', () => clearInterval(sweep), { once: true });

  return {
    open(productId, readersOf) {
      const known = open.get(productId);
      if (known !== undefined) {
        known.unreadSinceMs = null;
        return true;
      }
      if (open.size >= maxBooks) closeUnread(performance.now());
      if (open.size >= maxBooks) closeForAnother(readersOf);
      if (open.size >= maxBooks || signal.aborted) return false;
      openNew(productId);
      return true;
    },
    product: (productId) => open.get(productId)?.books.product(productId) ?? null,
    keepOnly(productIds) {
      for (const [id, one] of open) if (!productIds.has(id)) one.unreadSinceMs ??= performance.now();
      for (const id of yielded) if (!productIds.has(id)) yielded.delete(id);
    },
    counters: () =>
      [...open.values()].reduce((sum, { books }) => sumOfCounters(sum, books.counters()), sumOfCounters(past)),
  };
}
