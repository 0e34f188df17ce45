import type { BookChange, BookLevel, BookSide, OrderBook } from './order-book.ts';

/** Best first on both sides. */
export interface BookWindow {
  bids: readonly BookLevel[];
  asks: readonly BookLevel[];
}

export function windowOf(book: OrderBook, levelsPerSide: number): BookWindow {
  return { bids: book.top('bid', levelsPerSide), asks: book.top('ask', levelsPerSide) };
}

/** The changes from one window to another; a level that dropped out of it is removed like any other. */
export function windowChanges(from: BookWindow, to: BookWindow): BookChange[] {
  return [...sideChanges('bid', from.bids, to.bids), ...sideChanges('ask', from.asks, to.asks)];
}

/** One pass over both lists, which are sorted alike. */
function sideChanges(side: BookSide, from: readonly BookLevel[], to: readonly BookLevel[]): BookChange[] {
  const changes: BookChange[] = [];
  const isBetter = (a: BookLevel, b: BookLevel): boolean => (side === 'bid' ? a.price > b.price : a.price < b.price);
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    const [old, now] = [from[i], to[j]];
    if (old !== undefined && (now === undefined || isBetter(old, now))) {
      changes.push({ side, price: old.price, size: 0 });
      i += 1;
    } else if (now !== undefined && (old === undefined || isBetter(now, old))) {
      changes.push({ side, ...now });
      j += 1;
    } else if (old !== undefined && now !== undefined) {
      if (old.size !== now.size) changes.push({ side, ...now });
      i += 1;
      j += 1;
    }
  }
  return changes;
}
