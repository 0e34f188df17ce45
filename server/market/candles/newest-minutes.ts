/** The newest minutes of one product: the last closed one and the one that forms, from its history and its stream. */
import type { CandlesEvent } from '#domain/market/book/coinbase-messages.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { CandleUpdate } from '../venues/venue.ts';

/** A history that ends this much earlier is of another run of the market: its clock was set back. */
const SET_BACK_S = 3 * MINUTE_S;

export class NewestMinutes {
  readonly #productId: string;
  #event: CandlesEvent | null = null;

  constructor(productId: string) {
    this.#productId = productId;
  }

  /** Null before the first. A change comes as a new object. */
  get event(): CandlesEvent | null {
    return this.#event;
  }

  /** @param last  its newest closed minute @param isOpen  of the market: in a closed one no candle forms */
  takeHistory(last: Candle | undefined, isOpen: boolean): void {
    const { closed = null, forming = null } = this.#event ?? {};
    const isOther = last !== undefined && closed !== null && last.time < closed.time - SET_BACK_S;
    this.#set(isOther ? last : newer(closed, last), isOpen && !isOther ? forming : null);
  }

  takeUpdate({ candle, isClosed }: Pick<CandleUpdate, 'candle' | 'isClosed'>): void {
    const { closed = null, forming = null } = this.#event ?? {};
    if (isClosed) this.#set(newer(closed, candle), forming);
    else if (forming === null || candle.time >= forming.time) this.#set(closed, candle);
  }

  #set(closed: Candle | null, forming: Candle | null): void {
    // A late update of a minute that has closed.
    const next = closed !== null && forming !== null && forming.time <= closed.time ? null : forming;
    const { event } = this;
    if (closed === null && next === null) return;
    if (event !== null && isSame(closed, event.closed) && isSame(next, event.forming)) return;
    this.#event = { kind: 'candles', productId: this.#productId, closed, forming: next };
  }
}

function newer(known: Candle | null, other: Candle | undefined): Candle | null {
  return other === undefined || (known !== null && known.time > other.time) ? known : other;
}

function isSame(a: Candle | null, b: Candle | null): boolean {
  if (a === null || b === null) return a === b;
  const isSamePrice = a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close;
  return a.time === b.time && isSamePrice && a.volume === b.volume;
}
