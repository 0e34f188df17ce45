/**
 * From the venue's stream, completed from its REST history. In a minute that the stream has closed readers cause no
 * call, in any other ten thousand of them cause one. The first request connects the venue.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { aggregateCandles } from '#domain/market/bars.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { isSameCoin } from '#domain/market/same-coin.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { unlessAborted, within } from '#domain/time/deadline.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { FeedState } from '../market-state.ts';
import type { CandleUpdate, Venue } from '../venues/venue.ts';
import {
  type CandleHistory,
  floorBarS,
  type HistorySlice,
  isStaleAt,
  isTradedAt,
  lastTradedBar,
} from './candle-history.ts';
import { CandleSeries } from './candle-series.ts';
import type { CandleMemory } from './candle-store.ts';
import { gapRepair } from './gap-repair.ts';
import { restorePast } from './past-candles.ts';
import { feedStateOf, freshSymbolState, maxCandlesOf, type SymbolState } from './symbol-state.ts';
import { watchedProducts } from './watched-products.ts';

export interface CandleHistoryOptions {
  /** Candles are judged by the venue's time, not by our clock. */
  venue: Venue;
  marketKind: (symbol: MarketSymbol) => MarketKind;
  symbols: readonly MarketSymbol[];
  log: Logger;
  /** Absent: nothing is stored or read back. */
  store?: CandleMemory | null;
  /** Receives every candle of the stream, open ones included. */
  onUpdate?: (update: CandleUpdate) => void;
  /** Interval between repairs of missing minutes. */
  repairMs?: number;
  /** Monotonic milliseconds; a test passes its own. */
  monotonicMs?: (() => number) | undefined;
}

export interface VenueHistory extends CandleHistory {
  readonly venue: Venue;
  /** Candles in memory or in the store, however old, without a venue call; null without any. */
  cached(symbol: MarketSymbol, count: number, timeframe?: Timeframe): Promise<HistorySlice | null>;
  state(): FeedState[];
}

/** A minute's candle may reach the venue's history this late; until then its absence proves nothing. */
const SETTLE_MS = 2000;
/** Pause after a call that did not return the missing candles; doubles each time. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 10_000;
/** While a venue fails, the newest candle may be missing; without two an answer would be wrong. */
const MAX_LATE_BARS = 2;
/** Candles in memory may be this far ahead of the venue's now; beyond it, the venue's clock was set back. */
const MAX_AHEAD_S = MINUTE_S;
/** The venue's clock is an estimate: after a late message it may lag this far behind the venue's own data. */
const CLOCK_ERROR_S = 1;
const REPAIR_MS = 20_000;
/** A product of the catalogue without a reader for this long is forgotten. */
const UNREAD_MS = 600_000;
const MAX_PRODUCTS = 400;
/** Without a reader for this long no gaps are repaired: some venues charge per call, and the next reader fetches. */
const READ_MS = 180_000;
/** Readers wait no longer than this for stored candles. */
const RESTORE_LIMIT_MS = 1500;
/** With stored candles, more are requested than are missing, to check that they belong to this market. */
const OVERLAP = 15;

export function openCandleHistory(options: CandleHistoryOptions): VenueHistory {
  const { venue, marketKind, log, store = null, monotonicMs = () => performance.now() } = options;
  const symbols = options.symbols.filter((symbol) => venue.supports(symbol));
  const states = new Map<string, SymbolState>();
  const lifetime = new AbortController();
  const nowMs = (): number => venue.nowMs();
  let following: Promise<void> | null = null;
  const watched = watchedProducts({ venue, onUpdate: handleUpdate, log });
  const repairTimer = setInterval(careForAll, options.repairMs ?? REPAIR_MS).unref();

  /** Opening second of the last traded bar that is over. */
  function newestClosedS({ symbol, barS, timeframe }: SymbolState, atMs: number): number {
    return lastTradedBar(symbol, marketKind(symbol), floorBarS(atMs / 1000, barS) - barS, timeframe);
  }

  function lateS(state: SymbolState): number {
    const overdueS = newestClosedS(state, nowMs()) + state.barS - state.series.completeUntilS;
    return Math.max(0, overdueS);
  }

  function stateOf(symbol: MarketSymbol, timeframe: Timeframe = DEFAULT_TIMEFRAME): SymbolState {
    const key = keyOf(symbol, timeframe);
    const known = states.get(key);
    if (known !== undefined) return known;
    const state: SymbolState = {
      symbol,
      timeframe,
      barS: barSecondsOf(timeframe),
      ...freshSymbolState(symbol, timeframe),
      restoring: Promise.resolve(),
      repair: gapRepair({
        venue,
        symbol,
        timeframe,
        store,
        log,
        maxCandles: maxCandlesOf(timeframe),
      }),
      repairing: null,
      readAtMs: Number.NEGATIVE_INFINITY,
    };
    states.set(key, state);
    if (store !== null) state.restoring = restored(state, store);
    if (isProduct(symbol)) watched.add(symbol);
    else following ??= follow();
    return state;
  }

  async function restored(state: SymbolState, memory: CandleMemory): Promise<void> {
    await within(
      restorePast(state, { venue, store: memory, log, isWatchedOnly: isProduct(state.symbol) }),
      RESTORE_LIMIT_MS,
    );
  }

  /** Discards candles from the future: the symbol starts over, even if a call is in progress. */
  function dropWhenAhead(state: SymbolState): void {
    if (state.series.completeUntilS <= nowMs() / 1000 + MAX_AHEAD_S) return;
    log.warn({ sym: state.symbol.sym }, 'the market clock was set back, requesting history again');
    Object.assign(state, freshSymbolState(state.symbol, state.timeframe));
  }

  /** One call at a time per series, shared by all waiting readers; none before `allowedAtMs`, after a failed one. */
  function refresh(state: SymbolState): Promise<void> {
    if (state.refreshing !== null) return state.refreshing;
    if (monotonicMs() < state.allowedAtMs) return Promise.resolve();
    const call = fill(state).finally(() => {
      if (state.refreshing === call) state.refreshing = null;
    });
    state.refreshing = call;
    return call;
  }

  async function fill(state: SymbolState): Promise<void> {
    const { symbol, timeframe, barS, series } = state;
    const requestedAtMs = nowMs();
    const isFirst = series.completeUntilS === 0;
    const missingBars = Math.ceil((requestedAtMs / 1000 - series.completeUntilS) / barS);
    const overlap = state.isUnconfirmed ? OVERLAP : 2;
    const maxCandles = maxCandlesOf(timeframe);
    // Stored candles may be fewer than a forecast reads, and the venue may have more.
    const isShort = state.isUnconfirmed && series.last(LOOKBACK_BARS).length < LOOKBACK_BARS;
    const count = isFirst || isShort ? maxCandles : Math.max(2, Math.min(maxCandles, missingBars + overlap));
    try {
      const candles = await venue.candles(symbol, count, lifetime.signal, timeframe);
      if (state.series !== series) return;
      // An answer without candles says nothing about the stored ones.
      const proof = state.isUnconfirmed && candles.length > 0 ? series.compare(candles) : null;
      const isOtherCoin = !isSameCoin({ candles: series.last(maxCandles), barS }, { candles, barS });
      if (proof === 'other' || proof === 'nothing-common' || isOtherCoin) {
        log.warn(
          { venue: venue.id, sym: symbol.sym, timeframe, proof, isOtherCoin },
          'earlier candles cannot be trusted, requesting all of them again',
        );
        // One wrong answer must not delete what was confirmed before.
        if (state.isUnconfirmed) store?.forget(venue.id, symbol.sym);
        Object.assign(state, { series: new CandleSeries(symbol.hours, maxCandles, timeframe), isUnconfirmed: false });
        // A full answer needs no second call.
        if (count < maxCandles) return await fill(state);
      }
      if (proof === 'same') state.isUnconfirmed = false;
      if (!state.isUnconfirmed) {
        // The call itself may have revealed that the venue's clock was set back.
        const asOfS = floorBarS((Math.min(requestedAtMs, nowMs()) - SETTLE_MS) / 1000, barS);
        const added = state.series.merge(candles, candles.length < count, asOfS);
        // Of a product only what the next reader needs: hundreds of them begin with a day of minutes each.
        store?.add(venue.id, symbol.sym, isProduct(symbol) ? added.slice(-LOOKBACK_BARS) : added, timeframe);
      }
      Object.assign(state, { failure: null, heldUntilMs: 0 });
    } catch (error) {
      if (state.series !== series) return;
      if (!isAppError(error) && !lifetime.signal.aborted) log.error({ err: error, sym: symbol.sym }, 'history failed');
      state.failure = isAppError(error) ? error : new AppError('venue/unavailable', { cause: error });
      const { retryAfterS } = state.failure.details;
      state.heldUntilMs = typeof retryAfterS === 'number' ? monotonicMs() + retryAfterS * 1000 : 0;
    }
    const isDone = state.failure === null && lateS(state) === 0 && !state.isUnconfirmed;
    state.failedCalls = isDone ? 0 : state.failedCalls + 1;
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, state.failedCalls - 1));
    state.allowedAtMs = isDone ? 0 : monotonicMs() + pauseMs;
  }

  function isRead(state: SymbolState): boolean {
    return monotonicMs() - state.readAtMs < READ_MS;
  }

  function careForAll(): void {
    repairAll();
    forgetUnread();
  }

  /** A product of the catalogue, not one of the symbols that are followed from the first request on. */
  function isProduct({ sym }: MarketSymbol): boolean {
    return !symbols.some((symbol) => symbol.sym === sym);
  }

  /** Hundreds of products can be read in turn; the unread ones, and the longest unread of too many, make room. */
  function forgetUnread(): void {
    const products = [...states].filter(([, { symbol }]) => isProduct(symbol));
    const byAge = products.sort(([, a], [, b]) => b.readAtMs - a.readAtMs);
    for (const [i, [key, { symbol, readAtMs }]] of byAge.entries()) {
      if (i < MAX_PRODUCTS && monotonicMs() - readAtMs < UNREAD_MS) continue;
      states.delete(key);
      // Bars of another length may still be read.
      if (!TIMEFRAMES.some((timeframe) => states.has(keyOf(symbol, timeframe)))) watched.remove(symbol);
    }
  }

  function repairAll(): void {
    for (const state of states.values()) {
      const isIdle = state.refreshing === null && state.repairing === null;
      if (!isIdle || state.failure !== null || state.isUnconfirmed || !isRead(state)) continue;
      state.repairing = state.repair
        .attempt(state.series, lifetime.signal)
        .catch((error: unknown) => {
          // The next turn tries again; readers report a failing venue.
          log.debug({ err: error, sym: state.symbol.sym }, 'gap not repaired');
        })
        .finally(() => {
          state.repairing = null;
        });
    }
  }

  async function latest(
    symbol: MarketSymbol,
    count: number,
    signal: AbortSignal,
    timeframe?: Timeframe,
  ): Promise<HistorySlice> {
    signal.throwIfAborted();
    const state = stateOf(symbol, timeframe);
    state.readAtMs = monotonicMs();
    if (store !== null) await unlessAborted(state.restoring, signal);
    dropWhenAhead(state);
    if (lateS(state) > 0 || state.isUnconfirmed) await unlessAborted(refresh(state), signal);
    dropWhenAhead(state);
    if (state.series.completeUntilS === 0) await unlessAborted(refresh(state), signal);
    if (state.failure !== null && lateS(state) >= MAX_LATE_BARS * state.barS) throw state.failure;
    return slice(state, count);
  }

  function slice({ symbol, timeframe, series, isUnconfirmed }: SymbolState, count: number): HistorySlice {
    const atMs = nowMs();
    const candles = series.last(count, atMs / 1000 + CLOCK_ERROR_S);
    const asOfS = candles.at(-1)?.time ?? null;
    return {
      candles,
      marketKind: marketKind(symbol),
      venueId: venue.id,
      attribution: venue.attribution,
      delayS: venue.delayS,
      asOfS,
      isStale: isUnconfirmed || isStaleAt(symbol, marketKind(symbol), asOfS, atMs, timeframe),
      isOpen: isTradedAt(symbol, marketKind(symbol), atMs / 1000),
      nowMs: atMs,
    };
  }

  async function cached(symbol: MarketSymbol, count: number, timeframe?: Timeframe): Promise<HistorySlice | null> {
    const state = stateOf(symbol, timeframe);
    await state.restoring;
    dropWhenAhead(state);
    const known = slice(state, count);
    return known.candles.length === 0 ? null : known;
  }

  /** Only requested series are stored in memory; updates of others are ignored. */
  function handleUpdate(update: CandleUpdate): void {
    const { symbol, candle, isClosed } = update;
    options.onUpdate?.(update);
    for (const timeframe of TIMEFRAMES) {
      const state = states.get(keyOf(symbol, timeframe));
      if (state === undefined || state.series.completeUntilS === 0) continue;
      if (timeframe === DEFAULT_TIMEFRAME) advance(state, candle, isClosed);
      // A bar that misses a minute of the stream is not made; the next reader's call fetches the venue's own.
      else if (isClosed && lengthen(state, candle)) for (const bar of takeBar(state)) advance(state, bar, true);
    }
  }

  function advance(state: SymbolState, candle: Candle, isClosed: boolean): void {
    const { symbol, timeframe } = state;
    const isComplete = isClosed ? state.series.add(candle) : state.series.isCompleteUntil(candle.time);
    if (isClosed && !state.isUnconfirmed) store?.add(venue.id, symbol.sym, [candle], timeframe);
    if (isComplete || !isRead(state)) return;
    log.debug({ sym: symbol.sym, time: candle.time }, 'gap in the stream, requesting history');
    void refresh(state);
  }

  async function follow(): Promise<void> {
    try {
      for await (const update of venue.updates(symbols, lifetime.signal)) handleUpdate(update);
    } catch (error) {
      // Readers still get fresh candles, at the cost of one call per minute.
      if (!lifetime.signal.aborted) log.error({ err: error, venue: venue.id }, 'venue updates ended');
    }
  }

  return {
    venue,
    latest,
    cached,
    // Hundreds of products come and go: operators and metrics see the symbols of the picker.
    state: () =>
      [...states.values()]
        .filter(({ symbol }) => !isProduct(symbol))
        .map((state) => feedStateOf(venue, state, monotonicMs())),
    async close() {
      lifetime.abort();
      clearInterval(repairTimer);
      await watched.close();
      const works = [...states.values()].flatMap((s) => [s.restoring, s.refreshing, s.repairing]);
      await Promise.allSettled([following, ...works]);
    },
  };
}

function keyOf({ sym }: MarketSymbol, timeframe: Timeframe): string {
  return `${sym} ${timeframe}`;
}

/** Adds a closed minute to the bar that the stream is in. @returns true with the bar's last minute */
function lengthen(state: SymbolState, minute: Candle): boolean {
  const openingS = floorBarS(minute.time, state.barS);
  state.minutes = [...state.minutes.filter(({ time }) => time >= openingS && time < minute.time), minute];
  return minute.time + MINUTE_S === openingS + state.barS;
}

/** The bar of the minutes so far; none when one of them is missing. */
function takeBar(state: SymbolState): Candle[] {
  return aggregateCandles(state.minutes.splice(0), state.timeframe);
}
