/**
 * Closed candles of all symbols, fed by the venue's stream and completed by its REST history. A reader in a minute that
 * the stream has already closed costs nothing; ten thousand readers of a minute that it has not cost one call.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { isOpen, lastOpenMinute } from '#domain/market/trading-hours.ts';
import type { Logger } from '../platform/log.ts';
import type { CandleHistory, HistorySlice } from './candle-history.ts';
import { CandleSeries } from './candle-series.ts';
import type { CandleUpdate, Venue } from './venue.ts';

export interface CandleHistoryOptions {
  /** Candles are judged by its own time, not by our clock. */
  venue: Venue;
  marketKind: (symbol: MarketSymbol) => MarketKind;
  symbols: readonly MarketSymbol[];
  log: Logger;
}

/** Candles kept of each symbol: with the open one, a single call's worth. */
const KEPT = 1499;
/** A minute's candle may reach the venue's history this late; until then its absence proves nothing. */
const SETTLE_MS = 2000;
/** After a call that did not bring what was missing: this long until the next, doubling. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 10_000;
/** A venue that fails may leave the newest candle out this long; an older answer would be a wrong one. */
const MAX_LATE_S = 2 * MINUTE_S;
/** What is held may lie this far ahead of the venue's now; further, the venue's clock was set back. */
const MAX_AHEAD_S = MINUTE_S;
/** The venue's clock is an estimate: after a late message it may lie this far behind what the venue has said. */
const CLOCK_ERROR_S = 1;

interface SymbolState {
  symbol: MarketSymbol;
  series: CandleSeries;
  refreshing: Promise<void> | null;
  /** Vain calls in a row, and when the next is allowed (monotonic milliseconds). */
  vainCalls: number;
  allowedAtMs: number;
  /** Why the last call failed; null after one that worked. */
  failure: AppError | null;
}

export function openCandleHistory(options: CandleHistoryOptions): CandleHistory {
  const { venue, marketKind, symbols, log } = options;
  const states = new Map<string, SymbolState>();
  const lifetime = new AbortController();
  const nowMs = (): number => venue.nowMs();
  const following = follow();

  /** Opening second of the last traded minute that is over. */
  function newestClosedS(symbol: MarketSymbol, atMs: number): number {
    return lastOpenMinute(symbol.hours, floorMinuteS(atMs) - MINUTE_S);
  }

  function lateS(state: SymbolState): number {
    const lackingS = newestClosedS(state.symbol, nowMs()) + MINUTE_S - state.series.completeUntilS;
    return Math.max(0, lackingS);
  }

  function stateOf(symbol: MarketSymbol): SymbolState {
    const known = states.get(symbol.sym);
    if (known !== undefined) return known;
    const series = new CandleSeries(symbol.hours, KEPT);
    const made: SymbolState = { symbol, series, refreshing: null, vainCalls: 0, allowedAtMs: 0, failure: null };
    states.set(symbol.sym, made);
    return made;
  }

  /** Candles of a time that has not come are no candles: the symbol starts afresh, whatever call is under way. */
  function dropWhenAhead(state: SymbolState): void {
    if (state.series.completeUntilS <= nowMs() / 1000 + MAX_AHEAD_S) return;
    log.warn({ sym: state.symbol.sym }, 'the market clock was set back, asking for history again');
    state.series = new CandleSeries(state.symbol.hours, KEPT);
    Object.assign(state, { refreshing: null, vainCalls: 0, allowedAtMs: 0, failure: null });
  }

  /** One call at a time for a symbol, shared by all who wait; none at all while the last vain one is fresh. */
  function refresh(state: SymbolState): Promise<void> {
    if (state.refreshing !== null) return state.refreshing;
    if (performance.now() < state.allowedAtMs) return Promise.resolve();
    const call = fill(state).finally(() => {
      if (state.refreshing === call) state.refreshing = null;
    });
    state.refreshing = call;
    return call;
  }

  async function fill(state: SymbolState): Promise<void> {
    const { symbol, series } = state;
    const askedAtMs = nowMs();
    const isFirst = series.completeUntilS === 0;
    const lackingMinutes = Math.ceil((askedAtMs / 1000 - series.completeUntilS) / MINUTE_S);
    const count = isFirst ? KEPT : Math.max(2, Math.min(KEPT, lackingMinutes + 2));
    try {
      const candles = await venue.candles(symbol, count, lifetime.signal);
      if (state.series !== series) return;
      // The call itself may have told that the venue's clock was set back.
      series.merge(candles, candles.length < count, floorMinuteS(Math.min(askedAtMs, nowMs()) - SETTLE_MS));
      state.failure = null;
    } catch (error) {
      if (state.series !== series) return;
      if (!isAppError(error) && !lifetime.signal.aborted) log.error({ err: error, sym: symbol.sym }, 'history failed');
      state.failure = isAppError(error) ? error : new AppError('venue/unavailable', { cause: error });
    }
    const isDone = state.failure === null && lateS(state) === 0;
    state.vainCalls = isDone ? 0 : state.vainCalls + 1;
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, state.vainCalls - 1));
    state.allowedAtMs = isDone ? 0 : performance.now() + pauseMs;
  }

  async function latest(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<HistorySlice> {
    signal.throwIfAborted();
    const state = stateOf(symbol);
    dropWhenAhead(state);
    if (lateS(state) > 0) await untilAborted(refresh(state), signal);
    dropWhenAhead(state);
    if (state.series.completeUntilS === 0) await untilAborted(refresh(state), signal);
    if (state.failure !== null && lateS(state) >= MAX_LATE_S) throw state.failure;
    const atMs = nowMs();
    return {
      candles: state.series.last(count, atMs / 1000 + CLOCK_ERROR_S),
      marketKind: marketKind(symbol),
      venueId: venue.id,
      isOpen: isOpen(symbol.hours, atMs / 1000),
      nowMs: atMs,
    };
  }

  /** Only symbols that someone has asked for are kept; the others pass by. */
  function take({ symbol, candle, isClosed }: CandleUpdate): void {
    const state = states.get(symbol.sym);
    if (state === undefined || state.series.completeUntilS === 0) return;
    const isComplete = isClosed ? state.series.add(candle) : state.series.isCompleteUntil(candle.time);
    if (isComplete) return;
    log.debug({ sym: symbol.sym, time: candle.time }, 'gap in the stream, asking for history');
    void refresh(state);
  }

  async function follow(): Promise<void> {
    try {
      for await (const update of venue.updates(symbols, lifetime.signal)) take(update);
    } catch (error) {
      // Readers still get fresh candles: each minute then costs one call.
      if (!lifetime.signal.aborted) log.error({ err: error, venue: venue.id }, 'venue updates ended');
    }
  }

  return {
    latest,
    async close() {
      lifetime.abort();
      await Promise.allSettled([following, ...[...states.values()].map((state) => state.refreshing)]);
    },
  };
}

function floorMinuteS(ms: number): number {
  return Math.floor(ms / 1000 / MINUTE_S) * MINUTE_S;
}

/** The work goes on for the others when one who waits for it leaves. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
