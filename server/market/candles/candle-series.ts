/** Keyed by opening time: of two closed candles the last wins; open or malformed ones are rejected. */

import { lastOpenMinute, nextOpen } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, isWellFormed, MINUTE_S } from '#domain/market/candle.ts';
import type { HoursId } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';

/** `nothing-common` proves neither. */
export type Comparison = 'same' | 'other' | 'nothing-common';

export class CandleSeries {
  #candles: Candle[] = [];
  #completeUntilS = 0;
  readonly #hours: HoursId;
  readonly #maxCandles: number;
  readonly #barS: number;

  constructor(hours: HoursId, maxCandles: number, timeframe: Timeframe = DEFAULT_TIMEFRAME) {
    this.#hours = hours;
    this.#maxCandles = maxCandles;
    this.#barS = barSecondsOf(timeframe);
  }

  /** Every candle that opens before this second is here; 0 while nothing is known. */
  get completeUntilS(): number {
    return this.#completeUntilS;
  }

  /** The last `count` candles up to the first gap that had closed by `atS`, oldest first. */
  last(count: number, atS: number = Number.POSITIVE_INFINITY): Candle[] {
    const end = this.#indexOf(Math.min(this.#completeUntilS, Math.floor(atS) - this.#barS + 1));
    return this.#candles.slice(Math.max(0, end - count), end);
  }

  /** True when no bar with a traded minute before `timeS` is missing. */
  isCompleteUntil(timeS: number): boolean {
    return this.#completeUntilS > 0 && lastOpenMinute(this.#hours, timeS - MINUTE_S) < this.#completeUntilS;
  }

  /** Adds a closed candle from the stream. @returns false when candles before it are missing */
  add(candle: Candle): boolean {
    if (!isWellFormed(candle)) return true;
    const isNext = this.isCompleteUntil(candle.time);
    this.#put(candle);
    if (isNext) this.#completeUntilS = Math.max(this.#completeUntilS, candle.time + this.#barS);
    this.#trim();
    return isNext;
  }

  /**
   * @param candles the newest closed ones, oldest first; they fill gaps
   * @param isComplete false when the venue may have older ones: a gap before these candles then stays unknown
   * @param asOfS the venue has no other closed candle that opens before this second
   * @returns the candles that are new here
   */
  merge(candles: readonly Candle[], isComplete: boolean, asOfS: number): Candle[] {
    const good = candles.filter(isWellFormed);
    const [first] = good;
    if (first !== undefined && !isComplete && !this.isCompleteUntil(first.time)) this.#candles = [];
    const fresh = good.filter((candle) => this.#put(candle));
    const lastS = good.at(-1)?.time ?? 0;
    this.#completeUntilS = Math.max(this.#completeUntilS, asOfS, lastS === 0 ? 0 : lastS + this.#barS);
    this.#trim();
    return fresh;
  }

  /** Fills missing bars within the known range; all other candles are ignored. */
  fill(candles: readonly Candle[]): Candle[] {
    const firstS = this.#candles[0]?.time ?? Number.POSITIVE_INFINITY;
    const isWithin = (c: Candle): boolean => c.time > firstS && c.time < this.#completeUntilS && !this.has(c.time);
    const good = candles.filter((candle) => isWithin(candle) && isWellFormed(candle));
    for (const candle of good) this.#put(candle);
    this.#trim();
    return good;
  }

  has(timeS: number): boolean {
    return this.#candles[this.#indexOf(timeS)]?.time === timeS;
  }

  /** How many open at `timeS` or later. */
  countFrom(timeS: number): number {
    return this.#candles.length - this.#indexOf(timeS);
  }

  /** Opening seconds of traded bars without a candle, between the first candle and where completeness ends. */
  missing(): number[] {
    return missingBars(this.#hours, [...this.#candles.map((c) => c.time), this.#completeUntilS], this.#barS);
  }

  /** `other` when most of the bars in common differ: the candles come from another market. */
  compare(candles: readonly Candle[]): Comparison {
    const pairs = candles.map((c) => [c, this.#candles[this.#indexOf(c.time)]] as const);
    const both = pairs.filter(([theirs, ours]) => ours?.time === theirs.time);
    if (both.length === 0) return 'nothing-common';
    const same = both.filter(([theirs, ours]) => PRICES.every((price) => ours?.[price] === theirs[price]));
    return same.length * 2 >= both.length ? 'same' : 'other';
  }

  /** @returns false when the minute was known and its candle was replaced */
  #put(candle: Candle): boolean {
    const at = this.#indexOf(candle.time);
    const isKnown = this.#candles[at]?.time === candle.time;
    this.#candles.splice(at, isKnown ? 1 : 0, candle);
    return !isKnown;
  }

  #trim(): void {
    const excess = this.#candles.length - this.#maxCandles;
    if (excess > 0) this.#candles.splice(0, excess);
  }

  /** Index of the first candle that opens at `timeS` or later; checks the end first, where most candles belong. */
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

const PRICES = ['open', 'high', 'low', 'close'] as const;

/** Traded bars missing between neighbours in `timesS`, which rises. */
export function missingBars(hours: HoursId, timesS: readonly number[], barS: number = MINUTE_S): number[] {
  const missing: number[] = [];
  for (const [i, timeS] of timesS.entries()) {
    const untilS = timesS[i + 1] ?? 0;
    if (untilS - timeS <= barS) continue;
    for (let s = nextOpen(hours, timeS + barS); s < untilS; s = nextOpen(hours, s + barS)) missing.push(s);
  }
  return missing;
}
