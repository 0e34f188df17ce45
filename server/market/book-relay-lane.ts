/**
 * One product of the relay: what its readers have been shown, and the frames that bring them on. Readers in step share
 * each frame; one that could not take a frame is out of step, and gets a whole picture once it has read what it has.
 */

import type { TickerEvent } from '#domain/market/coinbase-messages.ts';
import { heartbeatText, snapshotText, tickerText, updateText } from '#domain/market/coinbase-messages-served.ts';
import { type BookWindow, windowChanges, windowOf } from '#domain/market/order-book-window.ts';
import type { RelayReader } from '../platform/relay-reader.ts';
import { textFrame } from '../platform/web-socket-frame.ts';
import type { LiveProduct } from './books/book-source.ts';

/** Levels a side that readers see. */
const WINDOW_LEVELS = 100;

export const LANE_CHANNELS = ['level2', 'ticker', 'heartbeat'] as const;
export type LaneChannel = (typeof LANE_CHANNELS)[number];

/** What the lane looks at: a product of a book source, or a last price alone. */
export type LaneSource = () => Pick<LiveProduct, 'revision' | 'soundBook' | 'ticker' | 'isFresh'> | null;

export interface LaneCounters {
  frames: number;
  /** Whole pictures for readers out of step, the first of each reader included. */
  snapshots: number;
}

export class BookLane {
  readonly productId: string;
  readonly hasBook: boolean;
  readonly #look: LaneSource;
  readonly #counters: LaneCounters;
  /** By reader: whether what it has is what was shown last. */
  readonly #book = new Map<RelayReader, boolean>();
  readonly #ticker = new Map<RelayReader, boolean>();
  readonly #heartbeat = new Set<RelayReader>();
  #shown: BookWindow | null = null;
  #shownRevision = -1;
  #snapshot: Buffer | null = null;
  #told: TickerEvent | null = null;
  #tickerFrame: Buffer | null = null;
  #heartbeats = 0;

  constructor(productId: string, hasBook: boolean, look: LaneSource, counters: LaneCounters) {
    this.productId = productId;
    this.hasBook = hasBook;
    this.#look = look;
    this.#counters = counters;
  }

  /** A reader that has it already starts afresh with a whole picture. */
  subscribe(reader: RelayReader, channel: LaneChannel): void {
    if (channel === 'heartbeat') this.#heartbeat.add(reader);
    else this.#readersOf(channel).set(reader, false);
  }

  unsubscribe(reader: RelayReader, channel: LaneChannel): void {
    if (channel === 'heartbeat') this.#heartbeat.delete(reader);
    else this.#readersOf(channel).delete(reader);
  }

  has(reader: RelayReader, channel: LaneChannel): boolean {
    return channel === 'heartbeat' ? this.#heartbeat.has(reader) : this.#readersOf(channel).has(reader);
  }

  /** A price that nobody reads is not looked up, and so neither fresh nor stale: looking may cost a paid call. */
  get isStale(): boolean {
    const isRead = this.#ticker.size > 0 || this.#heartbeat.size > 0;
    return (this.hasBook || isRead) && !this.isFresh;
  }

  get isFresh(): boolean {
    return this.#look()?.isFresh ?? false;
  }

  /** Brings all readers on. @param time  ISO, of what is shown now */
  turn(time: string): void {
    if (this.#book.size === 0 && this.#ticker.size === 0) return;
    const live = this.#look();
    if (live === null) return;
    if (this.#book.size > 0) this.#turnBook(live, time);
    if (this.#ticker.size > 0) this.#turnTicker(live.ticker);
  }

  /** Says that the product lives, unless it does not: then pages see by the silence that what they show is old. */
  beat(time: string): void {
    if (this.#heartbeat.size === 0 || !this.isFresh) return;
    this.#heartbeats += 1;
    const product_id = this.productId;
    const last_trade_id = this.#look()?.ticker?.tradeId ?? 0;
    const frame = textFrame(heartbeatText({ product_id, sequence: this.#heartbeats, last_trade_id, time }));
    for (const reader of this.#heartbeat) if (reader.offer(frame)) this.#counters.frames += 1;
  }

  #turnBook(live: Pick<LiveProduct, 'revision' | 'soundBook'>, time: string): void {
    // A crossed or broken book is not shown: the last good picture stands.
    const { soundBook, revision } = live;
    if (soundBook === null) return;
    if (this.#shown === null || revision !== this.#shownRevision) {
      const window = windowOf(soundBook, WINDOW_LEVELS);
      const changes = this.#shown === null ? null : windowChanges(this.#shown, window);
      this.#shownRevision = revision;
      if (changes === null || changes.length > 0) {
        this.#shown = window;
        this.#snapshot = null;
      }
      if (changes !== null && changes.length > 0)
        this.#share(this.#book, () => updateText(this.productId, changes, time));
    }
    const { bids, asks } = this.#shown ?? { bids: [], asks: [] };
    for (const [reader, isInStep] of this.#book) {
      if (isInStep || !reader.isDrained) continue;
      this.#snapshot ??= textFrame(snapshotText(this.productId, bids, asks));
      if (!reader.offer(this.#snapshot)) continue;
      this.#counters.frames += 1;
      this.#counters.snapshots += 1;
      this.#book.set(reader, true);
    }
  }

  /** To those in step; who cannot take it is out of step. */
  #share(readers: Map<RelayReader, boolean>, text: () => string): void {
    let frame: Buffer | null = null;
    for (const [reader, isInStep] of readers) {
      if (!isInStep) continue;
      frame ??= textFrame(text());
      if (reader.offer(frame)) this.#counters.frames += 1;
      else readers.set(reader, false);
    }
  }

  #turnTicker(ticker: TickerEvent | null): void {
    if (ticker === null) return;
    if (ticker !== this.#told) {
      this.#told = ticker;
      this.#tickerFrame = textFrame(tickerText(ticker));
      // All owe it now.
      for (const reader of this.#ticker.keys()) this.#ticker.set(reader, false);
    }
    if (this.#tickerFrame === null) return;
    for (const [reader, isTold] of this.#ticker) {
      if (isTold || !reader.offer(this.#tickerFrame)) continue;
      this.#counters.frames += 1;
      this.#ticker.set(reader, true);
    }
  }

  #readersOf(channel: 'level2' | 'ticker'): Map<RelayReader, boolean> {
    return channel === 'level2' ? this.#book : this.#ticker;
  }
}
