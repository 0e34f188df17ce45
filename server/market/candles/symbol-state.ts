import type { AppError } from '#domain/errors/app-error.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { type FeedState, problemOf } from '../market-state.ts';
import type { Venue } from '../venues/venue.ts';
import { CandleSeries } from './candle-series.ts';
import type { GapRepair } from './gap-repair.ts';

/** Minutes stored per symbol: with the open one, a single call's worth. */
const MAX_MINUTES = 1499;
/** Longer bars: the lookback, and a day in which an outcome of 50 bars is found. */
const MAX_LONGER_BARS = 599;

/** Candles stored per symbol and timeframe. */
export function maxCandlesOf(timeframe: Timeframe): number {
  return timeframe === DEFAULT_TIMEFRAME ? MAX_MINUTES : MAX_LONGER_BARS;
}

export interface SymbolState {
  symbol: MarketSymbol;
  timeframe: Timeframe;
  barS: number;
  series: CandleSeries;
  /** Closed minutes of the bar that the stream is in; empty at one minute. */
  minutes: Candle[];
  restoring: Promise<void>;
  /** The candles come from the store, and no venue answer has confirmed them yet. */
  isUnconfirmed: boolean;
  /** When the symbol was last requested (monotonic milliseconds). */
  readAtMs: number;
  refreshing: Promise<void> | null;
  repair: GapRepair;
  repairing: Promise<void> | null;
  /** Failed calls in a row, and when the next is allowed (monotonic milliseconds). */
  failedCalls: number;
  allowedAtMs: number;
  /** Why the last call failed, and until when the venue wants no calls; null after a success. */
  failure: AppError | null;
  heldUntilMs: number;
}

/** A symbol's state at the start, and again after its clock was set back. */
export function freshSymbolState(symbol: MarketSymbol, timeframe: Timeframe) {
  return {
    series: new CandleSeries(symbol.hours, maxCandlesOf(timeframe), timeframe),
    minutes: [],
    isUnconfirmed: false,
    refreshing: null,
    failedCalls: 0,
    allowedAtMs: 0,
    failure: null,
    heldUntilMs: 0,
  };
}

/** @param monotonicNowMs  by the clock that set `heldUntilMs` */
export function feedStateOf(venue: Venue, state: SymbolState, monotonicNowMs: number): FeedState {
  const atMs = venue.nowMs();
  const [last] = state.series.last(1);
  const lastAtMs = last === undefined ? null : (last.time + state.barS) * 1000;
  const heldMs = state.heldUntilMs - monotonicNowMs;
  return {
    feed: 'candles',
    source: venue.id,
    subject: feedSubject(state),
    isServing: true,
    lastAtMs,
    ageS: lastAtMs === null ? null : Math.max(0, Math.round((atMs - lastAtMs) / 1000) - (state.barS - MINUTE_S)),
    failures: state.failure === null ? 0 : state.failedCalls,
    heldUntilMs: heldMs > 0 ? Math.round(Date.now() + heldMs) : null,
    malformed: venue.malformed,
    missing: state.series.missing().length,
    problem: state.failure === null ? null : problemOf(state.failure),
  };
}

/** A series as operators see it: `BTC`, `BTC 5min`. */
export function feedSubject({ symbol, timeframe }: Pick<SymbolState, 'symbol' | 'timeframe'>): string {
  return timeframe === DEFAULT_TIMEFRAME ? symbol.label : `${symbol.label} ${timeframe}`;
}
