/** The difference between two states of an order book, as absolute sizes; zero removes a level. */
import type { BookChange, BookLevel, BookSide } from '#domain/market/book/order-book.ts';
import type { Book } from './book.ts';

/** Removals and new sizes, each price once. */
export function changesBetween(before: Book, after: Book): BookChange[] {
  return [...sideChanges('bid', before.bids, after.bids), ...sideChanges('ask', before.asks, after.asks)];
}

function sideChanges(side: BookSide, before: readonly BookLevel[], after: readonly BookLevel[]): BookChange[] {
  const isBetter = (a: number, b: number): boolean => (side === 'bid' ? a > b : a < b);
  const changes: BookChange[] = [];
  let i = 0;
  let j = 0;
  // Both are ordered from the best, so one pass covers the two.
  while (i < before.length || j < after.length) {
    const old = before[i];
    const now = after[j];
    if (now === undefined || (old !== undefined && isBetter(old.price, now.price))) {
      changes.push({ side, price: old?.price ?? 0, size: 0 });
      i += 1;
      continue;
    }
    if (old?.price !== now.price || old.size !== now.size) changes.push({ side, ...now });
    if (old?.price === now.price) i += 1;
    j += 1;
  }
  return changes;
}
