/** Results of paper trades, before and after trading costs, by the day on which a trade closed. */
import { zonedDate } from '../format/zoned-time.ts';
import { assetClassOf, marketLabel, quoteOf } from '../market/named-market.ts';
import { type PaperTrade, tradePnl } from './paper-trade.ts';
import { tradeCost } from './trade-cost.ts';

export interface UnitResult {
  /** What prices count: 'USD', 'EUR', 'points'. Sums of different units are never added. */
  unit: string;
  pnl: number;
  /** Null if one of the trades is of an unknown market. */
  afterCosts: number | null;
}

export interface TradesResult {
  /** With a result; trades that ended without a price are not counted. */
  count: number;
  /** With a profit before costs. */
  wins: number;
  units: readonly UnitResult[];
  /** Mean of each trade's result after costs as a share of its entry; null without trades or with an unknown market. */
  meanShare: number | null;
}

export interface DayResult extends TradesResult {
  /** '2026-11-30' */
  day: string;
  /** Of one trade of that day, epoch milliseconds. */
  atMs: number;
}

/** Null without an exit price, and for an unknown market. */
export function costOf({ sym, entryPrice, exitPrice }: PaperTrade): number | null {
  const assetClass = assetClassOf(marketLabel(sym));
  return assetClass === null || exitPrice === null ? null : tradeCost({ assetClass }, entryPrice, exitPrice);
}

export function resultOf(trades: readonly PaperTrade[]): TradesResult {
  const units = new Map<string, UnitResult>();
  let [count, wins] = [0, 0];
  let shares: number | null = 0;
  for (const trade of trades) {
    const { sym, entryPrice } = trade;
    const pnl = tradePnl(trade);
    if (pnl === null) continue;
    const cost = costOf(trade);
    const unit = quoteOf(sym);
    const sum = units.get(unit) ?? { unit, pnl: 0, afterCosts: 0 };
    units.set(unit, { unit, pnl: sum.pnl + pnl, afterCosts: less(plus(sum.afterCosts, pnl), cost) });
    shares = plus(shares, cost === null ? null : (pnl - cost) / entryPrice);
    count += 1;
    if (pnl > 0) wins += 1;
  }
  return { count, wins, units: [...units.values()], meanShare: count === 0 || shares === null ? null : shares / count };
}

/** Newest day first. @param zone  IANA name: a day is one of the user's @param trades  newest first */
export function dayResults(trades: readonly PaperTrade[], zone: string): DayResult[] {
  const days = new Map<string, PaperTrade[]>();
  for (const trade of trades) {
    const day = zonedDate(trade.closedAt, zone);
    days.set(day, [...(days.get(day) ?? []), trade]);
  }
  return [...days].map(([day, ofDay]) => ({ day, atMs: ofDay[0]?.closedAt ?? 0, ...resultOf(ofDay) }));
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

function less(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}
