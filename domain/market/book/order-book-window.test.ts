import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderBook } from './order-book.ts';
import { windowChanges, windowOf } from './order-book-window.ts';

const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 4 })), { maxLength: 60 });

function aBook(bids: readonly unknown[], asks: readonly unknown[]): OrderBook {
  const book = new OrderBook();
  book.load(bids, asks);
  return book;
}

test('turns any window into any other, with no change twice or for nothing', () => {
  fc.assert(
    fc.property(rows, rows, rows, rows, fc.integer({ min: 1, max: 20 }), (b1, a1, b2, a2, depth) => {
      const [from, to] = [windowOf(aBook(b1, a1), depth), windowOf(aBook(b2, a2), depth)];

      const changes = windowChanges(from, to);

      const shown = aBook(
        from.bids.map((l) => [l.price, l.size]),
        from.asks.map((l) => [l.price, l.size]),
      );
      for (const { side, price, size } of changes) shown.apply(side, price, size);
      expect(windowOf(shown, 1000)).toEqual(to);
      expect(new Set(changes.map((c) => `${c.side} ${c.price}`)).size).toBe(changes.length);
      if (JSON.stringify(from) === JSON.stringify(to)) expect(changes).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
