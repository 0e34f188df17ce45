/** Reads the venue while this process leads or the broker is unavailable; otherwise shows the leader's books. */
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import {
  type BookCounters,
  type BookSource,
  type LiveProduct,
  type OpenBooks,
  sumOfCounters,
} from '../books/book-source.ts';
import { publishBooks } from './book-publisher.ts';
import { followBooks } from './followed-books.ts';
import { giveWayWhenBlind } from './give-way.ts';
import { whenAlone } from './reading-alone.ts';
import type { MarketSharing } from './sharing.ts';

/** The other source may be older for a moment. A venue's clock that was set back must not hide its prices for longer. */
const OLDER_MS = 15_000;

export interface SharedBooksOptions {
  sharing: MarketSharing;
  source: BookSource;
  productIds: readonly string[];
  signal: AbortSignal;
}

export function openSharedBooks({ sharing, source, productIds, signal }: SharedBooksOptions): OpenBooks {
  const followed = followBooks(sharing, productIds);
  let own: { books: OpenBooks; end: AbortController } | null = null;
  let past: BookCounters | null = null;
  let stopPublishing: () => void = () => undefined;
  const shown = new Map<string, Shown>();

  function readOwn(): OpenBooks {
    if (own !== null) return own.books;
    const end = new AbortController();
    const books = source.open(productIds, AbortSignal.any([signal, end.signal]));
    own = { books, end };
    return books;
  }

  /** After a pause, what a dead leader last published may be older than what this process read for itself. */
  function inOrder(productId: string, product: LiveProduct, mark: 0 | 1): LiveProduct {
    const last = shown.get(productId);
    if (last !== undefined && last.mark !== mark && isOlder(product.ticker, last.ticker)) {
      last.replacedMs ??= performance.now();
      if (performance.now() - last.replacedMs < OLDER_MS)
        return { ...marked(product, mark), soundBook: null, ticker: last.ticker, isFresh: false };
    }
    shown.set(productId, { mark, ticker: product.ticker, replacedMs: null });
    return marked(product, mark);
  }

  function stopOwn(): void {
    if (own === null) return;
    past = sumOfCounters(past, own.books.counters());
    own.end.abort();
    own = null;
  }

  const unwatch = whenAlone(sharing, ({ term, isAlone }) => {
    stopPublishing();
    stopPublishing = () => undefined;
    if (term === null && !isAlone) return stopOwn();
    const books = readOwn();
    if (term !== null) stopPublishing = publishBooks({ ...sharing, term, books, productIds });
  });
  const hasFreshData = () => productIds.some((id) => own?.books.product(id)?.isFresh === true);
  const stopWatching = giveWayWhenBlind(sharing.leadership, hasFreshData);
  signal.addEventListener(
    'abort',
    () => {
      unwatch();
      stopWatching();
      stopPublishing();
      followed.close();
    },
    { once: true },
  );

  return {
    product(productId) {
      const ours = own?.books.product(productId) ?? null;
      // Until the venue's first snapshot, the last leader's book stays shown, and grows old.
      if (ours !== null && (ours.soundBook !== null || ours.isFresh)) return inOrder(productId, ours, 1);
      const theirs = followed.product(productId);
      return theirs === null ? ours : inOrder(productId, theirs, 0);
    },
    counters() {
      const all = sumOfCounters(past, own?.books.counters() ?? null);
      return { ...all, gaps: all.gaps + followed.gaps, malformed: all.malformed + followed.malformed };
    },
  };
}

interface Shown {
  /** Of its source. */
  mark: 0 | 1;
  ticker: TickerEvent | null;
  /** Since when the other source is older, monotonic milliseconds; null: it is not. */
  replacedMs: number | null;
}

function isOlder(ticker: TickerEvent | null, than: TickerEvent | null): boolean {
  return than !== null && (ticker === null || Date.parse(ticker.time) < Date.parse(than.time));
}

/** Keeps the revisions of the two sources distinct. */
function marked(product: LiveProduct, mark: 0 | 1): LiveProduct {
  return { ...product, revision: product.revision * 2 + mark };
}
