/**
 * One product of the relay: what its readers have been shown, and the frames that bring them on. Readers in step share
 * each frame; one that could not take a frame is out of step, and gets a whole picture once it has read what it has.
 */

import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import { heartbeatText, snapshotText, tickerText, updateText } from '#domain/market/book/coinbase-messages-served.ts';
import type { BookChange } from '#domain/market/book/order-book.ts';
import { type BookWindow, windowChanges, windowOf } from '#domain/market/book/order-book-window.ts';
import type { RelayReader } from '../../platform/sockets/relay-reader.ts';
import { textFrame } from '../../platform/sockets/web-socket-frame.ts';
import type { LiveProduct } from './book-source.ts';

/** Levels a side that readers see. */
const WINDOW_LEVELS = 100;

export const LANE_CHANNELS = ['level2', 'ticker', 'heartbeat'] as const;
export type LaneChannel = (typeof LANE_CHANNELS)[number];

/** What the lane looks at: a product of a book source, or a last price alone. */
export type LaneSource = () => Pick<
  LiveProduct,
  'revision' | 'soundBook' | 'ticker' | 'lastTradeId' | 'isFresh' | 'silentMs'
> | null;

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
  /** When the product last said anything with a sound book: so old is what is shown. Monotonic milliseconds. */
  #shownAtMs = 0;
  #snapshot: Buffer | null = null;
  #told: TickerEvent | null = null;
  #tickerFrame: Buffer | null = null;
  #heartbeats = 0;

  readonly #nowMs: () => number;

  /** @param nowMs  monotonic; a test passes its own */
  constructor(
    productId: string,
    hasBook: boolean,
    look: LaneSource,
    counters: LaneCounters,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#nowMs = nowMs;
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
    // A price is read as that of now, so an old one is not said; an old book says its age.
    if (this.#ticker.size > 0 && (live.isFresh || !this.hasBook)) this.#turnTicker(live.ticker);
  }

  /**
   * Says that the product lives, and for how long its venue has been silent: a page then knows how old what it shows
   * is. Of a product that does not live nothing is said.
   */
  beat(time: string): void {
    this.#keepPicture();
    if (this.#heartbeat.size === 0 || !this.isFresh) return;
    this.#heartbeats += 1;
    const product_id = this.productId;
    const live = this.#look();
    // The venue's own word where it has one: a page then sees that it missed a trade.
    const last_trade_id = live?.lastTradeId ?? live?.ticker?.tradeId ?? 0;
    const silent_ms = Math.round(live?.silentMs ?? 0);
    const frame = textFrame(heartbeatText({ product_id, sequence: this.#heartbeats, last_trade_id, time, silent_ms }));
    for (const reader of this.#heartbeat) if (reader.offer(frame)) this.#counters.frames += 1;
  }

  /** Without readers too: whoever comes while the venue is silent is shown what there was last, and how old it is. */
  #keepPicture(): void {
    if (!this.hasBook || this.#book.size > 0) return;
    const live = this.#look();
    if (live !== null) this.#renew(live);
  }

  #turnBook(live: Pick<LiveProduct, 'revision' | 'soundBook' | 'isFresh'>, time: string): void {
    const changes = this.#renew(live);
    if (changes.length > 0) this.#share(this.#book, () => updateText(this.productId, changes, time));
    if (this.#shown === null) return;
    const { bids, asks } = this.#shown;
    const ageMs = live.isFresh ? null : Math.round(this.#nowMs() - this.#shownAtMs);
    // What is old is another text each time.
    let frame = ageMs === null ? this.#snapshot : null;
    for (const [reader, isInStep] of this.#book) {
      if (isInStep || !reader.isDrained) continue;
      frame ??= textFrame(snapshotText(this.productId, bids, asks, ageMs));
      if (!reader.offer(frame)) continue;
      this.#counters.frames += 1;
      this.#counters.snapshots += 1;
      this.#book.set(reader, true);
    }
    if (ageMs === null) this.#snapshot = frame;
  }

  /** A crossed or broken book is not shown: the last good picture stands. @returns what changed of one that was there */
  #renew({ soundBook, revision }: Pick<LiveProduct, 'revision' | 'soundBook'>): readonly BookChange[] {
    if (soundBook === null || revision === this.#shownRevision) return [];
    this.#shownRevision = revision;
    this.#shownAtMs = this.#nowMs();
    const window = windowOf(soundBook, WINDOW_LEVELS);
    const changes = this.#shown === null ? [] : windowChanges(this.#shown, window);
    if (this.#shown !== null && changes.length === 0) return [];
    this.#shown = window;
    this.#snapshot = null;
    return changes;
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
