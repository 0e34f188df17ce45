/**
 * One round of the small trading game on /market-simulator-v03: past one-minute candles arrive one after the other, and
 * the whole play money is long, short or out. Every change of side costs what a real exchange takes.
 */
import { roundTripBp } from '../forecast/ranges/round-trip.ts';
import { type Candle, MINUTE_S } from '../market/candle.ts';

/** Candles that are there when a round begins, and those that arrive in it. */
export const SHOWN_BARS = 90;
export const PLAYED_BARS = 60;
export const ROUND_BARS = SHOWN_BARS + PLAYED_BARS;
export const START_BALANCE = 10_000;

export type Side = 'long' | 'short';

export interface Round {
  /** [ROUND_BARS] of one market, without a gap. */
  candles: readonly Candle[];
  /** Candles that have arrived. */
  arrived: number;
  side: Side | null;
  /** Of the open side; 0 without one. */
  entryPrice: number;
  /** Play money without the open side's running result. */
  balance: number;
  trades: number;
}

/** Half of the cost of a trade and its way back: paid at each end. */
const COST_SHARE = roundTripBp({ assetClass: 'crypto' }) / 2 / 10_000;

/**
 * A stretch of past candles without a missing minute; null if there is none.
 * @param random  in [0, 1)
 */
export function startRound(candles: readonly Candle[], random: number): Round | null {
  const starts = candles.flatMap((candle, i) => {
    const last = candles[i + ROUND_BARS - 1];
    return last !== undefined && last.time - candle.time === (ROUND_BARS - 1) * MINUTE_S ? [i] : [];
  });
  const start = starts[Math.floor(random * starts.length)];
  if (start === undefined) return null;
  return {
    candles: candles.slice(start, start + ROUND_BARS),
    arrived: SHOWN_BARS,
    side: null,
    entryPrice: 0,
    balance: START_BALANCE,
    trades: 0,
  };
}

/** One more candle; after the last one the open side is closed. */
export function advance(round: Round): Round {
  if (isOver(round)) return round;
  const next = { ...round, arrived: round.arrived + 1 };
  return isOver(next) ? choose(next, null) : next;
}

/** Long, short or out at the last close. The side that is open already changes nothing. */
export function choose(round: Round, side: Side | null): Round {
  if (side === round.side) return round;
  const closed = round.side === null ? round : { ...round, balance: worthOf(round) * (1 - COST_SHARE), side: null };
  const free: Round = { ...closed, side: null, entryPrice: 0 };
  if (side === null) return free;
  return {
    ...free,
    side,
    entryPrice: priceOf(round),
    balance: free.balance * (1 - COST_SHARE),
    trades: round.trades + 1,
  };
}

export function isOver({ arrived }: Round): boolean {
  return arrived >= ROUND_BARS;
}

export function shownCandles({ candles, arrived }: Round): readonly Candle[] {
  return candles.slice(arrived - SHOWN_BARS, arrived);
}

/** Close of the last candle that arrived. */
export function priceOf({ candles, arrived }: Round): number {
  return candles[arrived - 1]?.close ?? 0;
}

/** Play money with the open side's running result. */
export function worthOf(round: Round): number {
  const { side, entryPrice, balance } = round;
  if (side === null) return balance;
  const change = priceOf(round) / entryPrice - 1;
  return balance * (1 + (side === 'long' ? change : -change));
}

/** Per cent of the money at the start. */
export function resultPercent(round: Round): number {
  return 100 * (worthOf(round) / START_BALANCE - 1);
}

/** What one buy at the start, held to the last candle, would have made, after the same costs. */
export function heldPercent(round: Round): number {
  return resultPercent(choose({ ...choose(begun(round), 'long'), arrived: round.arrived }, null));
}

function begun(round: Round): Round {
  return { ...round, arrived: SHOWN_BARS, side: null, entryPrice: 0, balance: START_BALANCE, trades: 0 };
}
