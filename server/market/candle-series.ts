/**
 * The closed candles of one symbol in memory, and how far they are known to be complete. Keyed by opening time: of two
 * closed candles the last wins, and nothing open or malformed enters. Source: market facts, section 7.
 */
import { type Candle, isWellFormed, MINUTE_S } from '#domain/market/candle.ts';
import type { HoursId } from '#domain/market/symbols.ts';
import { lastOpenMinute } from '#domain/market/trading-hours.ts';

export class CandleSeries {
  #candles: Candle[] = [];
  #completeUntilS = 0;
  readonly #hours: HoursId;
  readonly #maxCandles: number;

  constructor(hours: HoursId, maxCandles: number) {
    this.#hours = hours;
    this.#maxCandles = maxCandles;
  }

  /** Every candle that opens before this second is here; 0 while nothing is known. */
  get completeUntilS(): number {
    return this.#completeUntilS;
  }

  /** The last `count` candles up to the first gap that had closed by `atS`, oldest first. */
  last(count: number, atS: number = Number.POSITIVE_INFINITY): Candle[] {
    const end = this.#indexOf(Math.min(this.#completeUntilS, Math.floor(atS) - MINUTE_S + 1));
    return this.#candles.slice(Math.max(0, end - count), end);
  }

  /** True when no traded minute before `timeS` is missing. */
  isCompleteUntil(timeS: number): boolean {
    return this.#completeUntilS > 0 && lastOpenMinute(this.#hours, timeS - MINUTE_S) < this.#completeUntilS;
  }

  /** A closed candle from the stream. @returns false when candles before it are missing */
  add(candle: Candle): boolean {
    if (!isWellFormed(candle)) return true;
    const isNext = this.isCompleteUntil(candle.time);
    this.#put(candle);
    if (isNext) this.#completeUntilS = Math.max(this.#completeUntilS, candle.time + MINUTE_S);
    this.#trim();
    return isNext;
  }

  /**
   * Candles from the venue's history, and with them the gaps that it fills.
   *
   * @param candles   the newest closed ones, oldest first
   * @param isWhole   false when the venue may have older ones than these: a gap before them then stays unknown
   * @param asOfS     the venue has no other closed candle that opens before this second
   */
  merge(candles: readonly Candle[], isWhole: boolean, asOfS: number): void {
    const good = candles.filter(isWellFormed);
    const [first] = good;
    if (first !== undefined && !isWhole && !this.isCompleteUntil(first.time)) this.#candles = [];
    for (const candle of good) this.#put(candle);
    const lastS = good.at(-1)?.time ?? 0;
    this.#completeUntilS = Math.max(this.#completeUntilS, asOfS, lastS === 0 ? 0 : lastS + MINUTE_S);
    this.#trim();
  }

  #put(candle: Candle): void {
    const at = this.#indexOf(candle.time);
    const isKnown = this.#candles[at]?.time === candle.time;
    this.#candles.splice(at, isKnown ? 1 : 0, candle);
  }

  #trim(): void {
    const excess = this.#candles.length - this.#maxCandles;
    if (excess > 0) this.#candles.splice(0, excess);
  }

  /** Index of the first candle that opens at `timeS` or later; the end is looked at first, where nearly all belong. */
  #indexOf(timeS: number): number {
    let low = 0;
    let high = this.#candles.length;
    if ((this.#candles.at(-1)?.time ?? 0) < timeS) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#candles[middle]?.time ?? 0) < timeS) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
