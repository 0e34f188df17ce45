/** Detects a loss in a book. Times are monotonic: a changed wall clock says nothing about a feed. */
import type { TickerEvent } from '#domain/market/book/coinbase-messages.ts';
import { OrderBook } from '#domain/market/book/order-book.ts';

export interface BookTiming {
  /** Without a heartbeat for this long, or while heartbeats arrive this late, a product is stale. */
  staleMs: number;
  /** Without a timely heartbeat for this long its connection is dropped. */
  unresponsiveMs: number;
  /** A crossed book may recover within this time: a batch can arrive in two messages. */
  crossedMs: number;
  /** Book and ticker arrive separately; they may disagree this long. */
  disagreedMs: number;
  /** Longest wait for a snapshot. */
  missingMs: number;
  /** A product that was sound for this long is trusted as if it had never failed. */
  soundMs: number;
}

export const BOOK_TIMING: BookTiming = {
  staleMs: 5000,
  unresponsiveMs: 15_000,
  crossedMs: 1000,
  disagreedMs: 2000,
  missingMs: 15_000,
  soundMs: 30_000,
};

type BookFault = 'crossed' | 'disagreed' | 'unresponsive' | 'missing';

/** Factor on the time limits of a product that keeps failing, so that it does not cost the others their connection. */
const MAX_PATIENCE = 256;
/** Best prices remembered: over a second's worth on the busiest feed. */
const MAX_BESTS = 256;

interface Bests {
  bid: number | null;
  ask: number | null;
  atMs: number;
}

export class ProductBook {
  readonly book = new OrderBook();
  /** Rises with every change of book or ticker. */
  revision = 0;
  ticker: TickerEvent | null = null;
  /** From the last heartbeat that had one. */
  lastTradeId: number | undefined;
  readonly #timing: BookTiming;
  #isLoaded = false;
  #connectedAtMs: number;
  /** When the venue sent the last heartbeat. */
  #heartbeatAtMs = Number.NEGATIVE_INFINITY;
  /** When the last heartbeat arrived that was not late. */
  #timelyAtMs = Number.NEGATIVE_INFINITY;
  #crossedAtMs: number | null = null;
  #soundSinceMs: number;
  #patience = 1;
  /** Recent best prices, oldest first, to compare with tickers that arrive late. */
  #bests: Bests[] = [];
  /** The ticker's best prices that the book has not shown, since when, and in how many tickers. */
  #missed: { bid: number; ask: number; sinceMs: number; tickers: number } | null = null;

  constructor(timing: BookTiming, nowMs: number) {
    this.#timing = timing;
    this.#connectedAtMs = nowMs;
    this.#soundSinceMs = nowMs;
  }

  /** Resets for a new connection: all state belongs to the old one. */
  reset(nowMs: number): void {
    this.book.clear();
    this.#isLoaded = false;
    this.#connectedAtMs = nowMs;
    this.#crossedAtMs = null;
    this.#soundSinceMs = nowMs;
    this.#bests = [];
    this.#missed = null;
  }

  load(bids: readonly unknown[], asks: readonly unknown[], nowMs: number): void {
    this.book.load(bids, asks);
    this.#isLoaded = true;
    this.#bests = [];
    this.#missed = null;
    this.#changed(nowMs);
  }

  /** Ignored before the snapshot: there is nothing to change yet. */
  update(change: (book: OrderBook) => void, nowMs: number): void {
    if (!this.#isLoaded) return;
    change(this.book);
    this.#changed(nowMs);
  }

  /** @param delayMs  how late it arrives: whatever arrives with it is as old */
  heartbeat(nowMs: number, lastTradeId?: number, delayMs = 0): void {
    this.#heartbeatAtMs = nowMs - delayMs;
    if (delayMs <= this.#timing.staleMs) this.#timelyAtMs = nowMs;
    this.lastTradeId = lastTradeId;
  }

  applyTicker(ticker: TickerEvent, nowMs: number): void {
    const { bestBid, bestAsk } = ticker;
    const isCrossed = bestBid !== null && bestAsk !== null && bestBid >= bestAsk;
    this.ticker = isCrossed ? { ...ticker, bestBid: null, bestAsk: null } : ticker;
    this.revision += 1;
    if (!this.#isLoaded || isCrossed || bestBid === null || bestAsk === null) return;
    this.#forgetBests(nowMs);
    if (this.#hasShown(bestBid, bestAsk)) this.#missed = null;
    else {
      const { sinceMs = nowMs, tickers = 0 } = this.#missed ?? {};
      this.#missed = { bid: bestBid, ask: bestAsk, sinceMs, tickers: tickers + 1 };
    }
  }

  get isSound(): boolean {
    return this.#isLoaded && this.#crossedAtMs === null;
  }

  isFresh(nowMs: number): boolean {
    return this.isSound && this.isAlive(nowMs);
  }

  isAlive(nowMs: number): boolean {
    return this.idleMs(nowMs) <= this.#timing.staleMs;
  }

  /** Since the venue sent the last heartbeat; infinite before the first. */
  idleMs(nowMs: number): number {
    return nowMs - this.#heartbeatAtMs;
  }

  /** Why this product's connection should be dropped now; null without a reason. */
  fault(nowMs: number): BookFault | null {
    const { crossedMs, disagreedMs, unresponsiveMs, missingMs, soundMs } = this.#timing;
    const exceeds = (sinceMs: number | null, limitMs: number) =>
      sinceMs !== null && nowMs - sinceMs > limitMs * this.#patience;
    if (!this.#isLoaded) return exceeds(this.#connectedAtMs, missingMs) ? 'missing' : null;
    if (exceeds(this.#crossedAtMs, crossedMs)) return 'crossed';
    // A single ticker may show a best price that lasted less than a batch; two in a row do not.
    if (this.#missed !== null && this.#missed.tickers > 1 && exceeds(this.#missed.sinceMs, disagreedMs))
      return 'disagreed';
    if (exceeds(Math.max(this.#timelyAtMs, this.#connectedAtMs), unresponsiveMs)) return 'unresponsive';
    if (!this.isFresh(nowMs) || this.#missed !== null) this.#soundSinceMs = nowMs;
    if (nowMs - this.#soundSinceMs > soundMs) this.#patience = 1;
    return null;
  }

  /** Its connection was dropped because of this product. */
  penalize(): void {
    this.#patience = Math.min(MAX_PATIENCE, this.#patience * 2);
  }

  #changed(nowMs: number): void {
    this.revision += 1;
    const isCrossed = this.book.isCrossed;
    this.#crossedAtMs = isCrossed ? (this.#crossedAtMs ?? nowMs) : null;
    const [bid, ask] = [this.book.bestPrice('bid'), this.book.bestPrice('ask')];
    const last = this.#bests.at(-1);
    if (last?.bid === bid && last.ask === ask) return;
    this.#bests.push({ bid, ask, atMs: nowMs });
    if (this.#bests.length > MAX_BESTS) this.#bests.shift();
    if (this.#missed !== null && this.#hasShown(this.#missed.bid, this.#missed.ask)) this.#missed = null;
  }

  #hasShown(bid: number, ask: number): boolean {
    return this.#bests.some((best) => best.bid === bid) && this.#bests.some((best) => best.ask === ask);
  }

  /** Drops best prices that were already superseded when the comparison window began. */
  #forgetBests(nowMs: number): void {
    const fromMs = nowMs - this.#timing.disagreedMs;
    const first = this.#bests.findIndex((_best, i) => (this.#bests[i + 1]?.atMs ?? nowMs) >= fromMs);
    if (first > 0) this.#bests.splice(0, first);
  }
}
