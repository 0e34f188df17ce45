/** Reads the venue while this process leads or the broker is unavailable; otherwise shows the leader's books. */
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

  function readOwn(): OpenBooks {
    if (own !== null) return own.books;
    const end = new AbortController();
    const books = source.open(productIds, AbortSignal.any([signal, end.signal]));
    own = { books, end };
    return books;
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
      if (ours !== null && (ours.soundBook !== null || ours.isFresh)) return marked(ours, 1);
      const theirs = followed.product(productId);
      return theirs === null ? ours : marked(theirs, 0);
    },
    counters() {
      const all = sumOfCounters(past, own?.books.counters() ?? null);
      return { ...all, gaps: all.gaps + followed.gaps, malformed: all.malformed + followed.malformed };
    },
  };
}

/** Keeps the revisions of the two sources distinct. */
function marked(product: LiveProduct, mark: 0 | 1): LiveProduct {
  return { ...product, revision: product.revision * 2 + mark };
}
