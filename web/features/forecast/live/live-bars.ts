/**
 * The real candles of a market as they close, and the one that forms: from a history, then from the newest minutes that
 * the live connection sends. Bars longer than a minute are added up. Nothing is drawn twice, and no gap is jumped: after
 * one, the history is needed.
 */
import { addUp, formingBar } from '#domain/market/bars.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';

export interface NewestBars {
  closed: Candle | null;
  forming: Candle | null;
}

export type BarChange =
  | 'none'
  /** The forming candle alone. */
  | 'moved'
  /** A bar closed, or one that has closed was corrected. */
  | 'closed'
  /** A candle is missing in between: nothing changes until the history is merged. */
  | 'gap';

export class LiveBars {
  /** Oldest first. */
  closed: readonly Candle[];
  /** The bar after them so far; null until its minutes are known. */
  forming: Candle | null = null;
  readonly #barS: number;
  /** Closed minutes of the bar that forms. */
  #minutes: readonly Candle[] = [];
  /** Up to here, what the history lacks does not exist: minutes without a trade. */
  #checkedS = Number.NEGATIVE_INFINITY;
  /** Histories in a row that brought nothing new. */
  #idleMerges = 0;

  /** @param closed  at least one, oldest first */
  constructor(timeframe: Timeframe, closed: readonly Candle[]) {
    this.#barS = barSecondsOf(timeframe);
    this.closed = closed;
  }

  /** Opening second of the bar after the last closed one. */
  get nextS(): number {
    return (this.closed.at(-1)?.time ?? 0) + this.#barS;
  }

  take({ closed, forming }: NewestBars): BarChange {
    const change = closed === null ? 'none' : this.#close(closed);
    if (change === 'gap') return change;
    const moved = this.#form(forming);
    return change === 'none' ? moved : change;
  }

  /**
   * @param bars  the latest closed bars, from the same market
   * @param minutes  its latest closed minutes; the same at one minute
   * @param newest  the newest minutes known when they were requested
   * @returns false for an older history than the bars: it changes nothing
   */
  merge(bars: readonly Candle[], minutes: readonly Candle[], newest: NewestBars | null): boolean {
    const first = bars[0];
    if (first === undefined || (bars.at(-1)?.time ?? 0) < (this.closed.at(-1)?.time ?? 0)) return false;
    const lastS = this.closed.at(-1)?.time;
    this.closed = [...this.closed.filter(({ time }) => time < first.time), ...bars];
    this.#minutes = minutes.filter(({ time }) => time >= this.nextS);
    this.#idleMerges = this.closed.at(-1)?.time === lastS ? this.#idleMerges + 1 : 0;
    // The first may be slightly older than the live connection.
    if (this.#idleMerges >= 2) this.#checkedS = Math.max(newest?.closed?.time ?? 0, newest?.forming?.time ?? 0);
    this.forming = null;
    return true;
  }

  #close(minute: Candle): BarChange {
    if (minute.time < this.nextS) return this.#correct(minute);
    const expectedS = (this.#minutes.at(-1)?.time ?? this.nextS - MINUTE_S) + MINUTE_S;
    if (minute.time < expectedS) return 'none';
    if (minute.time > expectedS && minute.time > this.#checkedS) return 'gap';
    if (this.#barS === MINUTE_S) return this.#add(minute);
    this.#minutes = [...this.#minutes, minute];
    if (minute.time + MINUTE_S < this.nextS + this.#barS) return 'none';
    const bar = formingBar(this.#minutes, this.nextS, this.#barS);
    // Without one of its minutes only the history has the bar.
    return this.#minutes.length * MINUTE_S !== this.#barS || bar === null ? 'gap' : this.#add(bar);
  }

  #add(bar: Candle): BarChange {
    this.closed = [...this.closed, bar];
    this.#minutes = [];
    this.forming = null;
    return 'closed';
  }

  #correct(minute: Candle): BarChange {
    const last = this.closed.at(-1);
    if (this.#barS !== MINUTE_S || last?.time !== minute.time || isSame(last, minute)) return 'none';
    this.closed = [...this.closed.slice(0, -1), minute];
    return 'closed';
  }

  #form(minute: Candle | null): BarChange {
    const expectedS = (this.#minutes.at(-1)?.time ?? this.nextS - MINUTE_S) + MINUTE_S;
    // At the turn of a minute nothing forms until its first trade: what was shown stays.
    if (minute === null || minute.time < expectedS) return 'none';
    if (minute.time > expectedS && minute.time > this.#checkedS) return 'gap';
    const isOfBar = this.#minutes.length > 0 || minute.time === this.nextS || this.#barS === MINUTE_S;
    if (minute.time >= this.nextS + this.#barS && this.#barS !== MINUTE_S) return 'gap';
    if (!isOfBar) return 'none';
    const next = this.#barS === MINUTE_S ? minute : addUp([...this.#minutes, minute]);
    if (this.forming !== null && isSame(this.forming, next)) return 'none';
    this.forming = next;
    return 'moved';
  }
}

function isSame(a: Candle, b: Candle): boolean {
  return a.time === b.time && a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close;
}
