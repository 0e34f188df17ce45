/**
 * An order book as venue, relay and page keep it: levels by price, best first, changed by absolute sizes. Prices stand
 * as whole ticks inside, so that equal prices are equal numbers.
 */

export type BookSide = 'bid' | 'ask';

/** One price of a side with the whole size that waits there. */
export interface BookLevel {
  price: number;
  size: number;
}

/** The new absolute size at a price; zero removes the level. */
export interface BookChange extends BookLevel {
  side: BookSide;
}
