/**
 * The order book of the venue, the relay and the page: levels by price, best first, changed by absolute sizes. A
 * level's key is the number nearest to its decimal text: two texts of one price give one number, and up to fifteen
 * digits no two prices share one. So no tick size is needed, and a price off the venue's tick grid stays exact.
 */
import { decimalOf } from '../codecs/decimal.ts';

export type BookSide = 'bid' | 'ask';

export interface BookLevel {
  price: number;
  size: number;
}

/** The new absolute size at a price; zero removes the level. */
export interface BookChange extends BookLevel {
  side: BookSide;
}

/** Maximum levels per side; the worst are dropped. The largest real book (BTC-USD) has about a quarter of it. */
export const MAX_BOOK_LEVELS = 100_000;
/** Smaller than any venue's step. It keeps every level's text short enough to parse back. */
const MIN_FIGURE = 1e-12;
const MAX_PRICE = 1e12;
const MAX_SIZE = 1e15;

export class OrderBook {
  /** Levels and changes rejected since the start: invalid, negative, absurd. The rest of a batch still counts. */
  rejected = 0;
  readonly #bids: Side;
  readonly #asks: Side;

  constructor(maxLevels = MAX_BOOK_LEVELS) {
    this.#bids = new Side(1, maxLevels);
    this.#asks = new Side(-1, maxLevels);
  }

  /** Replaces everything. @param bids @param asks  `[price, size]` rows, decimal texts or numbers, in any order */
  load(bids: readonly unknown[], asks: readonly unknown[]): void {
    this.rejected += this.#bids.load(bids) + this.#asks.load(asks);
  }

  /** Sets a level; size zero removes it, and removing an unknown one is no error. @returns false when rejected */
  apply(side: BookSide, price: unknown, size: unknown): boolean {
    const p = priceOf(price);
    const s = sizeOf(size);
    // NaN fails both.
    if (!(p > 0 && s >= 0)) {
      this.rejected += 1;
      return false;
    }
    (side === 'bid' ? this.#bids : this.#asks).set(p, s);
    return true;
  }

  clear(): void {
    this.#bids.count = 0;
    this.#asks.count = 0;
  }

  top(side: BookSide, count: number): BookLevel[] {
    const { keys, sizes, count: held } = this.#side(side);
    const levels: BookLevel[] = [];
    for (let i = held - 1; i >= 0 && levels.length < count; i--)
      levels.push({ price: Math.abs(keys[i] ?? 0), size: sizes[i] ?? 0 });
    return levels;
  }

  get bestBid(): BookLevel | null {
    return this.top('bid', 1)[0] ?? null;
  }

  get bestAsk(): BookLevel | null {
    return this.top('ask', 1)[0] ?? null;
  }

  /** Called at every change, so it creates no level object. Null for an empty side. */
  bestPrice(side: BookSide): number | null {
    const { keys, count } = this.#side(side);
    return count === 0 ? null : Math.abs(keys[count - 1] ?? 0);
  }

  /** Crossed or locked: a bid is at or above the lowest offer. No venue stays like that, so an update was missed. */
  get isCrossed(): boolean {
    const [bid, ask] = [this.bestPrice('bid'), this.bestPrice('ask')];
    return bid !== null && ask !== null && bid >= ask;
  }

  levelCount(side: BookSide): number {
    return this.#side(side).count;
  }

  #side(side: BookSide): Side {
    return side === 'bid' ? this.#bids : this.#asks;
  }
}

/** Keys ascend to the best at the end, where almost all changes happen; on the selling side prices are negated for that. */
class Side {
  keys = new Float64Array(256);
  sizes = new Float64Array(256);
  count = 0;
  readonly #sign: 1 | -1;
  readonly #maxLevels: number;

  constructor(sign: 1 | -1, maxLevels: number) {
    this.#sign = sign;
    this.#maxLevels = maxLevels;
  }

  load(rows: readonly unknown[]): number {
    // Of two rows at one price, the last one counts.
    const byKey = new Map<number, number>();
    let rejected = 0;
    for (const row of rows) {
      const [price, size] = Array.isArray(row) ? [priceOf(row[0]), sizeOf(row[1])] : [Number.NaN, Number.NaN];
      if (!(price > 0 && size >= 0)) rejected += 1;
      else if (size > 0) byKey.set(price * this.#sign, size);
      else byKey.delete(price * this.#sign);
    }
    const sorted = Float64Array.from(byKey.keys()).sort().slice(-this.#maxLevels);
    this.count = 0;
    this.#reserve(sorted.length);
    this.keys.set(sorted);
    this.count = sorted.length;
    for (let i = 0; i < this.count; i++) this.sizes[i] = byKey.get(sorted[i] ?? 0) ?? 0;
    return rejected;
  }

  set(price: number, size: number): void {
    const key = price * this.#sign;
    const at = this.#search(key);
    const isKnown = at < this.count && this.keys[at] === key;
    if (size === 0) {
      if (isKnown) this.#remove(at);
    } else if (isKnown) this.sizes[at] = size;
    else this.#insert(at, key, size);
  }

  #search(key: number): number {
    const { keys } = this;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] ?? 0) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #insert(at: number, key: number, size: number): void {
    if (this.count >= this.#maxLevels) {
      // Worse than all stored levels.
      if (at === 0) return;
      this.#remove(0);
      at -= 1;
    }
    this.#reserve(this.count + 1);
    this.keys.copyWithin(at + 1, at, this.count);
    this.sizes.copyWithin(at + 1, at, this.count);
    this.keys[at] = key;
    this.sizes[at] = size;
    this.count += 1;
  }

  #remove(at: number): void {
    this.keys.copyWithin(at, at + 1, this.count);
    this.sizes.copyWithin(at, at + 1, this.count);
    this.count -= 1;
  }

  #reserve(count: number): void {
    if (count <= this.keys.length) return;
    const length = Math.max(count, this.keys.length * 2);
    const [keys, sizes] = [new Float64Array(length), new Float64Array(length)];
    keys.set(this.keys);
    sizes.set(this.sizes);
    this.keys = keys;
    this.sizes = sizes;
  }
}

/** NaN for a price that no level may have. */
function priceOf(value: unknown): number {
  const price = decimalOf(value);
  return price >= MIN_FIGURE && price < MAX_PRICE ? price : Number.NaN;
}

function sizeOf(value: unknown): number {
  const size = decimalOf(value);
  return size === 0 || (size >= MIN_FIGURE && size < MAX_SIZE) ? size : Number.NaN;
}
