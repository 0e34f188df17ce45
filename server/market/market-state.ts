/** What the feeds report about themselves, for the operations page and the metrics. */
import type { BookRelayState } from './books/book-relay.ts';

export interface FeedState {
  /** `candles`, `order book` ...: the data it provides. */
  feed: string;
  source: string;
  /** A symbol or a product; null for the whole feed. */
  subject: string | null;
  /** False for a source on standby. */
  isServing: boolean;
  /** When its newest data closed or was sent, epoch milliseconds of the source's own clock. */
  lastAtMs: number | null;
  /** Age of that data by the same clock, seconds. Of a longer bar, less what it lasts longer than a minute. */
  ageS: number | null;
  /** Consecutive failures until now. */
  failures: number;
  /** No calls before this, epoch milliseconds of our clock; null: calls are allowed. */
  heldUntilMs: number | null;
  /** Malformed rows and messages of this source dropped since the start, over all subjects. */
  malformed: number;
  /** Traded minutes that no source has. */
  missing: number;
  /** Short reason of the last failure. */
  problem: string | null;
}

export interface MarketState {
  feeds: readonly FeedState[];
  /** Queue and losses of the job that stores live candles; null in a sandbox market. */
  store: { waiting: number; dropped: number; malformed: number; failures: number } | null;
  /** Readers of the live socket, and the order books behind it. */
  liveSocket: BookRelayState;
}

/** @param error  thrown by a feed; its message may hold a URL, its details are ours */
export function problemOf(error: { code: string; details: Readonly<Record<string, unknown>> }): string {
  const { reason } = error.details;
  return typeof reason === 'string' ? reason : error.code;
}
