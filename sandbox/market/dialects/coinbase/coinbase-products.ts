/** The order books and trades of Coinbase's products, updated every 50 ms, with the changes sent to all readers. */
import type { BookChange } from '#domain/market/book/order-book.ts';
import { type Book, type BookRecipe, bookAt, bookRecipe, bookShapeOf, changesBetween } from '../../book/book.ts';
import type { DialectParts } from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { lastTradeAt, tradesAfter } from '../../market-time.ts';
import { type DayFigures, dayFiguresAt } from '../../simulation/day-figures.ts';
import type { Trade } from '../../simulation/ticks.ts';

const BATCH_MS = 50;
const SECOND_MS = 1000;
/** While no user views a price, only one batch in this many moves: once a second. */
const REST_BATCHES = 20;
/** A faster market changes most of its book between two batches, so it moves less often. */
const MAX_SPEED_OF_EVERY_BATCH = 60;
/** Minimum time between two sums of the 24-hour figures, however fast the market runs. */
const DAY_FIGURES_MS = 1000;

export interface ProductState {
  book: Book;
  last: Trade;
}

export interface CoinbaseProduct {
  readonly id: string;
  /** The state that readers have received so far; null before the first trade. */
  state(): ProductState | null;
  day(): DayFigures | null;
}

export interface ProductReaders {
  /** A product without readers is not computed. */
  hasReaders(productId: string): boolean;
  /** Never empty. */
  onChanges(product: CoinbaseProduct, changes: readonly BookChange[], state: ProductState): void;
  /** Called for each trade, oldest first, with the book after the last one; together they match the minute's candle. */
  onTrade(product: CoinbaseProduct, state: ProductState): void;
  /** Called each second of real time, whatever the market's clock does. */
  onSecond(): void;
}

export interface CoinbaseProducts {
  find(productId: string): CoinbaseProduct | null;
  close(): void;
}

export function openCoinbaseProducts(parts: DialectParts, readers: ProductReaders): CoinbaseProducts {
  const products = new Map<string, Product>();
  const generated = new Set<string>();
  for (const listed of parts.listing) {
    const id = listed.symbol.bookProductId;
    if (id !== null) products.set(id, productOf(id, listed));
  }

  function productOf(id: string, listed: ListedSymbol): Product {
    return new Product(id, listed, bookRecipe(id, bookShapeOf(listed.symbol), parts.seed), parts);
  }

  /** A generated product is open while a reader of its book is, and until it is delisted. */
  function find(id: string): Product | null {
    const known = products.get(id);
    if (known !== undefined && !generated.has(id)) return known;
    const listed = parts.products.find('coinbase', id);
    if (known !== undefined && listed === known.listed) return known;
    if (listed === undefined) {
      if (generated.delete(id)) products.delete(id);
      return null;
    }
    const opened = productOf(id, listed);
    products.set(id, opened);
    generated.add(id);
    return opened;
  }

  const watchedBatches = Math.min(REST_BATCHES, Math.max(1, Math.round(parts.speed / MAX_SPEED_OF_EVERY_BATCH)));
  let batch = 0;
  const batches = setInterval(() => {
    batch += 1;
    if (batch % (parts.isWatched() ? watchedBatches : REST_BATCHES) !== 0) return;
    for (const product of [...products.values()]) {
      if (readers.hasReaders(product.id)) find(product.id)?.advance(readers);
      else {
        product.forget();
        if (generated.delete(product.id)) products.delete(product.id);
      }
    }
  }, BATCH_MS).unref();
  const seconds = setInterval(() => readers.onSecond(), SECOND_MS).unref();

  return {
    find,
    close() {
      clearInterval(batches);
      clearInterval(seconds);
    },
  };
}

class Product implements CoinbaseProduct {
  readonly id: string;
  readonly listed: ListedSymbol;
  readonly #recipe: BookRecipe;
  readonly #clock: DialectParts['clock'];
  #state: ProductState | null = null;
  #stateMs = 0;
  #day: DayFigures | null = null;
  #dayAtMs = Number.NEGATIVE_INFINITY;

  constructor(id: string, listed: ListedSymbol, recipe: BookRecipe, { clock }: DialectParts) {
    this.id = id;
    this.listed = listed;
    this.#recipe = recipe;
    this.#clock = clock;
  }

  state(): ProductState | null {
    if (this.#state === null) this.#move();
    return this.#state;
  }

  day(): DayFigures | null {
    if (performance.now() - this.#dayAtMs >= DAY_FIGURES_MS) {
      this.#day = dayFiguresAt(this.listed, this.#clock.nowMs());
      this.#dayAtMs = performance.now();
    }
    return this.#day;
  }

  advance(readers: ProductReaders): void {
    const before = this.#state;
    // With a paused test clock nothing can have changed.
    if (before !== null && this.#clock.nowMs() === this.#stateMs) return;
    const after = this.#move();
    if (before === null || after === null) return;
    const changes = changesBetween(before.book, after.book);
    if (changes.length > 0) readers.onChanges(this, changes, after);
    // After the clock is set back there are no trades in between.
    const isBack = after.last.id < before.last.id;
    const trades = isBack ? [after.last] : tradesAfter(this.listed, before.last, this.#stateMs);
    for (const last of trades) readers.onTrade(this, { ...after, last });
  }

  forget(): void {
    this.#state = null;
    this.#dayAtMs = Number.NEGATIVE_INFINITY;
  }

  #move(): ProductState | null {
    const nowMs = this.#clock.nowMs();
    const last = lastTradeAt(this.listed, nowMs);
    this.#stateMs = nowMs;
    this.#state = last === null ? null : { book: bookAt(this.#recipe, nowMs, last), last };
    return this.#state;
  }
}

/** A bid that crosses the book, for the `crossed` fault. */
export function crossingBid({ asks }: Book): BookChange {
  const beyond = asks[2] ?? asks[0] ?? { price: 1 };
  return { side: 'bid', price: beyond.price, size: 1 };
}

/** ISO time with microseconds, as Coinbase writes it. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
