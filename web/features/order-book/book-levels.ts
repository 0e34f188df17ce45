/**
 * How many levels the order book shows. Counted on each side: specification 2 labels every fourth row, which asks for
 * rows too thin to carry a figure each, and 40 rows in all would fit with a figure on every one.
 */
export const BOOK_LEVELS = [40, 100] as const;
export type BookLevels = (typeof BOOK_LEVELS)[number];
export const DEFAULT_BOOK_LEVELS: BookLevels = BOOK_LEVELS[0];

/** A price stands on every fourth row, from the best one outwards. Specification 2, section 2.3. */
export const LABEL_EVERY = 4;
/** So many levels of each side stand out. */
export const TOP_LEVELS = 3;
/** A phone shows so many of each side until it is asked for all. */
export const PHONE_LEVELS = 6;
