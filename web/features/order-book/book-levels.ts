/**
 * Number of levels that the order book shows, per side rather than in all: only every fourth row is labelled, which
 * implies rows too thin for a figure each, and 40 rows in all would each fit one.
 */
export const BOOK_LEVELS = [40, 100] as const;
export type BookLevels = (typeof BOOK_LEVELS)[number];
export const DEFAULT_BOOK_LEVELS: BookLevels = BOOK_LEVELS[0];

/** Every fourth row has a price, from the best one outwards. */
export const LABEL_EVERY = 4;
/** Number of levels per side that are highlighted. */
export const TOP_LEVELS = 3;
/** Number of levels per side that a phone shows until the user expands the book. */
export const PHONE_LEVELS = 6;
