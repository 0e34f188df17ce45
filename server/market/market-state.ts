/** A snapshot of every feed for operators: what is fresh, what fails, what is held back. Nothing secret is in it. */
import type { BookRelayState } from './books/book-relay.ts';

export interface FeedState {
  /** `candles`, `order book` ...: what it brings. */
  feed: string;
  /** Where from: a venue's id. */
  source: string;
  /** Of what: a symbol, a product; null for the whole feed. */
  subject: string | null;
  /** False for a source that only stands by. */
  isServing: boolean;
  /** When what it last brought had closed or was said, epoch milliseconds of the source's own clock. */
  lastAtMs: number | null;
  /** How old that is, seconds, by the same clock. */
  ageS: number | null;
  /** In a row, until now. */
  failures: number;
  /** Not asked before this, epoch milliseconds of our clock; null: it may be asked. */
  heldUntilMs: number | null;
  /** Rows and messages of this source dropped as malformed since the start, of all subjects together. */
  malformed: number;
  /** Minutes that were traded and that nobody has. */
  missing: number;
  /** Why the last try failed, in a word. */
  problem: string | null;
}

export interface MarketState {
  feeds: readonly FeedState[];
  /** What the database job of live candles has left to do, and what it gave up; null in a sandbox market. */
  store: { waiting: number; dropped: number; malformed: number; failures: number } | null;
  /** Readers of the live socket, and the order books behind it. */
  liveSocket: BookRelayState;
}

/** @param error  what a feed threw; its message may hold an address, its details are ours */
export function problemOf(error: { code: string; details: Readonly<Record<string, unknown>> }): string {
  const { reason } = error.details;
  return typeof reason === 'string' ? reason : error.code;
}
