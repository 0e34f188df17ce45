/**
 * One product of the relay: what its readers have been shown, and the frames that update them. Readers in step share
 * each frame. A reader that could not take a frame is out of step and gets a full snapshot once its buffer drains.
 */
import {
  candlesText,
  heartbeatText,
  snapshotText,
  tickerText,
  updateText,
} from '#domain/market/book/coinbase-messages-served.ts';
import type { BookChange } from '#domain/market/book/order-book.ts';
import { type BookWindow, windowChanges, windowOf } from '#domain/market/book/order-book-window.ts';
import { textFrame } from '../../platform/sockets/frame-outbox.ts';
import type { RelayReader } from '../../platform/sockets/relay-reader.ts';
import type { LiveProduct } from './book-source.ts';

/** Levels per side that readers see. */
const WINDOW_LEVELS = 100;

export const LANE_CHANNELS = ['level2', 'ticker', 'heartbeat', 'candles'] as const;
export type LaneChannel = (typeof LANE_CHANNELS)[number];

/** What a product sends: a book and its venue's ticker, or prices from its candles. */
export type LaneKind = 'book' | 'candles' | 'candles-and-price';

const CHANNELS_OF: Readonly<Record<LaneKind, readonly LaneChannel[]>> = {
  book: ['level2', 'ticker', 'heartbeat'],
  candles: ['candles', 'heartbeat'],
  'candles-and-price': ['candles', 'ticker', 'heartbeat'],
};

/** The lane's data: a product of a book source, or a last price without a book. */
export type LaneSource = () => Pick<
  LiveProduct,
  'revision' | 'soundBook' | 'ticker' | 'lastTradeId' | 'isFresh' | 'idleMs' | 'candles' | 'marketMs'
> | null;

export interface LaneCounters {
  frames: number;
  /** Full snapshots for readers out of step, including each reader's first. */
  snapshots: number;
}

export class BookLane {
  readonly productId: string;
  readonly kind: LaneKind;
  readonly #source: LaneSource;
  readonly #counters: LaneCounters;
  /** By reader: whether it has what was shown last. */
  readonly #book = new Map<RelayReader, boolean>();
  readonly #ticker: Newest = { readers: new Map(), sent: null, frame: null };
  readonly #candles: Newest = { readers: new Map(), sent: null, frame: null };
  readonly #heartbeat = new Set<RelayReader>();
  #shown: BookWindow | null = null;
  #shownRevision = -1;
  /** When the product last updated with a sound book, monotonic milliseconds: the age of what is shown. */
  #shownAtMs = 0;
  #snapshot: Buffer | null = null;
  #heartbeats = 0;

  readonly #nowMs: () => number;

  /** @param nowMs  monotonic; a test passes its own */
  constructor(
    productId: string,
    kind: LaneKind,
    source: LaneSource,
    counters: LaneCounters,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#nowMs = nowMs;
    this.productId = productId;
    this.kind = kind;
    this.#source = source;
    this.#counters = counters;
  }

  get hasBook(): boolean {
    return this.kind === 'book';
  }

  sends(channel: LaneChannel): boolean {
    return CHANNELS_OF[this.kind].includes(channel);
  }

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

  /** A price that no one reads is not fetched, as that may cost a paid call. It counts as neither fresh nor stale. */
  get isStale(): boolean {
    return (this.hasBook || this.isRead) && !this.isFresh;
  }

  /** Each once, whatever it reads. */
  *readers(): Iterable<RelayReader> {
    const [{ readers: ticker }, { readers: candles }] = [this.#ticker, this.#candles];
    yield* new Set([...this.#book.keys(), ...ticker.keys(), ...candles.keys(), ...this.#heartbeat]);
  }

  get isRead(): boolean {
    return this.#book.size > 0 || this.#hasPrices || this.#heartbeat.size > 0;
  }

  get isFresh(): boolean {
    return this.#source()?.isFresh ?? false;
  }

  /** Updates all readers. @param time  ISO time of what is shown now */
  sendUpdates(time: string): void {
    if (this.#book.size === 0 && !this.#hasPrices) return;
    const live = this.#source();
    if (live === null) return;
    if (this.#book.size > 0) this.#sendBook(live, time);
    // A price is read as current, so an old one is not sent; an old book is sent with its age.
    if (live.isFresh || !this.hasBook) this.#sendNewest(this.#ticker, live.ticker, tickerText);
    this.#sendNewest(this.#candles, live.candles ?? null, candlesText);
  }

  get #hasPrices(): boolean {
    return this.#ticker.readers.size > 0 || this.#candles.readers.size > 0;
  }

  /**
   * Reports how long the venue has been unresponsive, so that a page knows the age of its data; nothing if not live.
   */
  sendHeartbeat(time: string): void {
    this.#keepPicture();
    if (this.#heartbeat.size === 0 || !this.isFresh) return;
    this.#heartbeats += 1;
    const product_id = this.productId;
    const live = this.#source();
    // The venue's own trade id where it sends one: a page then sees that it missed a trade.
    const last_trade_id = live?.lastTradeId ?? live?.ticker?.tradeId ?? 0;
    const silent_ms = Math.round(live?.idleMs ?? 0);
    const { marketMs = null } = live ?? {};
    const ours = marketMs === null ? {} : { market_time: new Date(marketMs).toISOString() };
    const beat = { product_id, sequence: this.#heartbeats, last_trade_id, time, silent_ms, ...ours };
    const frame = textFrame(heartbeatText(beat));
    for (const reader of this.#heartbeat) if (reader.offer(frame)) this.#counters.frames += 1;
  }

  /** Runs without readers too: a reader that joins while the venue is unresponsive gets the last book and its age. */
  #keepPicture(): void {
    if (!this.hasBook || this.#book.size > 0) return;
    const live = this.#source();
    if (live !== null) this.#renew(live);
  }

  #sendBook(live: Pick<LiveProduct, 'revision' | 'soundBook' | 'isFresh'>, time: string): void {
    const changes = this.#renew(live);
    if (changes.length > 0) this.#share(this.#book, () => updateText(this.productId, changes, time));
    if (this.#shown === null) return;
    const { bids, asks } = this.#shown;
    const ageMs = live.isFresh ? null : Math.round(this.#nowMs() - this.#shownAtMs);
    // A stale snapshot carries its age, so its text differs each time and is not cached.
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

  /** Skips a crossed or broken book: the last good one stays shown. @returns the changes to the book shown before */
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

  /** Sends to readers in step; a reader that cannot take the frame falls out of step. */
  #share(readers: Map<RelayReader, boolean>, text: () => string): void {
    let frame: Buffer | null = null;
    for (const [reader, isInStep] of readers) {
      if (!isInStep) continue;
      frame ??= textFrame(text());
      if (reader.offer(frame)) this.#counters.frames += 1;
      else readers.set(reader, false);
    }
  }

  /** Sends a reader each new object once, and the last one first. */
  #sendNewest<Event extends object>(channel: Newest, event: Event | null, textOf: (event: Event) => string): void {
    if (event === null || channel.readers.size === 0) return;
    if (event !== channel.sent) {
      channel.sent = event;
      channel.frame = textFrame(textOf(event));
      for (const reader of channel.readers.keys()) channel.readers.set(reader, false);
    }
    if (channel.frame === null) return;
    for (const [reader, isSent] of channel.readers) {
      if (isSent || !reader.offer(channel.frame)) continue;
      this.#counters.frames += 1;
      channel.readers.set(reader, true);
    }
  }

  #readersOf(channel: 'level2' | 'ticker' | 'candles'): Map<RelayReader, boolean> {
    if (channel === 'level2') return this.#book;
    return channel === 'ticker' ? this.#ticker.readers : this.#candles.readers;
  }
}

/** A channel of which only the newest event counts. */
interface Newest {
  /** Whether each has it. */
  readonly readers: Map<RelayReader, boolean>;
  sent: object | null;
  frame: Buffer | null;
}
