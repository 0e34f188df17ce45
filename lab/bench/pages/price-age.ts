/** How old the price on a screen is at its venue: the time since it was last the price of the newest trade. */
import { MINUTE_S } from '../../../domain/market/candle.ts';
import type { Ticks } from '../../../sandbox/market/simulation/ticks.ts';

/** Epoch milliseconds, and the price that is shown from then on. */
export type ShownPrice = readonly [atMs: number, price: number];

export interface AgeFigures {
  /** Milliseconds. Moments at which the shown price was still the newest have an age of 0. */
  p50: number;
  p99: number;
  most: number;
}

const STEP_MS = 100;
/** A shown price that no trade of this long had is reported as this old. */
const MOST_MS = 10 * MINUTE_S * 1000;

/** Looks every 100 ms from the first shown price on. */
export function ageFigures(
  shown: readonly ShownPrice[],
  ticks: Ticks,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): AgeFigures {
  const agesMs: number[] = [];
  const minuteMs = MINUTE_S * 1000;
  const trades: { timeMs: number; price: number }[] = [];
  for (let timeMs = fromMs - MOST_MS; timeMs <= toMs; timeMs += minuteMs)
    trades.push(...ticks.tradesOf(Math.floor(timeMs / minuteMs) * MINUTE_S));
  /** By price: index of the newest trade at it so far. */
  const newest = new Map<number, number>();
  let [nextShown, nextTrade] = [0, 0];
  for (let nowMs = Math.max(fromMs, shown[0]?.[0] ?? toMs); nowMs < toMs; nowMs += STEP_MS) {
    while ((shown[nextShown]?.[0] ?? Infinity) <= nowMs) nextShown++;
    for (let trade = trades[nextTrade]; trade !== undefined && trade.timeMs <= nowMs; trade = trades[++nextTrade])
      newest.set(trade.price, nextTrade);
    const last = newest.get(shown[nextShown - 1]?.[1] ?? Number.NaN);
    const endedMs = last === nextTrade - 1 ? nowMs : (trades[(last ?? 0) + 1]?.timeMs ?? nowMs);
    agesMs.push(last === undefined ? MOST_MS : nowMs - endedMs);
  }
  agesMs.sort((a, b) => a - b);
  const at = (share: number) => agesMs[Math.floor(share * (agesMs.length - 1))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}
