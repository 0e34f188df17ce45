/** The leader's venues serve all. A follower calls its own only when no leader answers and its slice is old. */
import { AppError } from '#domain/errors/app-error.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { unlessAborted } from '#domain/time/deadline.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { type HistorySlice, isStaleAt, lastTradedBar } from '../candles/candle-history.ts';
import type { FailoverHistory } from '../candles/failover-history.ts';
import { feedSubject, maxCandlesOf } from '../candles/symbol-state.ts';
import { ONLY_SPECIFIED, type SymbolLookup } from '../catalogue/symbol-lookup.ts';
import type { FeedState } from '../market-state.ts';
import type { ServedUpdate } from '../venues/venue.ts';
import {
  candleSubject,
  MARKET_REFUSALS,
  readSliceAnswer,
  readUpdate,
  sliceMessage,
  sliceRequestSchema,
  slicesSubject,
  updateMessage,
} from './candle-messages.ts';
import { giveWayWhenBlind, hasFreshCandles } from './give-way.ts';
import { type ReadingState, whenAlone } from './reading-alone.ts';
import { type MarketSharing, NewestTerm } from './sharing.ts';

export interface SharedCandlesOptions {
  sharing: MarketSharing;
  /** This process's own venues; no calls are made until it is used. */
  own: FailoverHistory;
  log: Logger;
  /** Absent: only the ten symbols of the picker. */
  symbols?: Pick<SymbolLookup, 'knownSymbol' | 'savedSymbol'> | undefined;
  timing?: Partial<SharedCandlesTiming> | undefined;
}

export interface SharedCandlesTiming {
  /** How long the leader may take: it may have to call its venues first. */
  answerMs: number;
  /** Between two requests for a bar that should have closed and is still missing. */
  retryMs: number;
  /** After this long without an answer own venues are called: by then a new leader would be elected. */
  patienceMs: number;
}

const TIMING: SharedCandlesTiming = { answerMs: 4000, retryMs: 1000, patienceMs: 6000 };

/** A product of the catalogue without a reader for this long is forgotten. */
const UNREAD_MS = 600_000;

interface CachedSlice {
  symbol: MarketSymbol;
  timeframe: Timeframe;
  slice: HistorySlice;
  /** How many were requested: the market may have no more. */
  count: number;
  /** Monotonic. */
  atMs: number;
  requestedAtMs: number;
}

export function openSharedCandles(options: SharedCandlesOptions): FailoverHistory {
  const { own, log, sharing } = options;
  const { bus, prefix } = sharing;
  const timing = { ...TIMING, ...options.timing };
  const { symbols = ONLY_SPECIFIED } = options;
  const cached = new Map<string, CachedSlice>();
  const pending = new Map<string, Promise<CachedSlice>>();
  const listeners = new Set<(update: ServedUpdate) => void>();
  const terms = new NewestTerm();
  let reading: ReadingState = { term: null, isAlone: false };
  let unansweredSinceMs: number | null = null;
  let malformed = 0;
  /** The last term this process led: its own messages come back to it. */
  let ledTerm: number | null = null;

  const readsOwn = (): boolean => reading.term !== null || reading.isAlone;

  async function latest(
    symbol: MarketSymbol,
    count: number,
    signal: AbortSignal,
    timeframe: Timeframe = DEFAULT_TIMEFRAME,
  ): Promise<HistorySlice> {
    if (readsOwn() || !own.hasVenue(symbol)) return own.latest(symbol, count, signal, timeframe);
    const key = keyOf(symbol, timeframe);
    const known = cached.get(key);
    const nowMs = performance.now();
    if (known !== undefined && known.count >= count && isCurrent(known, nowMs)) return cut(known, count);
    try {
      const shared = pending.get(key) ?? sharedRequest(symbol, timeframe, Math.max(count, known?.count ?? 0));
      return cut(await unlessAborted(shared, signal), count);
    } catch (error) {
      signal.throwIfAborted();
      // The market's own refusal, which every process would get.
      if (error instanceof AppError) throw error;
      log.debug({ err: error, sym: symbol.sym }, 'no leader is sending candles');
    }
    const isLong = performance.now() - (unansweredSinceMs ?? performance.now()) >= timing.patienceMs;
    const last = known !== undefined && known.count >= count ? cut(known, count) : null;
    if (last !== null && !last.isStale && !isLong) return last;
    return own.latest(symbol, count, signal, timeframe);
  }

  /** One request shared by all callers. @throws AppError the market's refusal. @throws NoAnswer */
  function sharedRequest(symbol: MarketSymbol, timeframe: Timeframe, count: number): Promise<CachedSlice> {
    const key = keyOf(symbol, timeframe);
    const most = Math.min(maxCandlesOf(timeframe), count);
    const call = requestSlice(symbol, timeframe, most).finally(() => pending.delete(key));
    call.catch(() => undefined);
    pending.set(key, call);
    return call;
  }

  async function requestSlice(symbol: MarketSymbol, timeframe: Timeframe, count: number): Promise<CachedSlice> {
    const requestedAtMs = performance.now();
    const raw = await bus
      .request(slicesSubject(prefix), { sym: symbol.sym, count, timeframe }, { timeoutMs: timing.answerMs })
      .catch((error: unknown) => {
        unansweredSinceMs ??= requestedAtMs;
        throw error;
      });
    const answer = readSliceAnswer(raw);
    const isOfAnother = (time: number): boolean => time % barSecondsOf(timeframe) !== 0;
    if (answer === null || ('slice' in answer && answer.slice.candles.some(({ time }) => isOfAnother(time)))) {
      malformed += 1;
      throw new Error('the leader’s candles could not be read');
    }
    unansweredSinceMs = null;
    if ('refused' in answer) throw new AppError(answer.refused, { details: answer.details });
    const { slice } = answer;
    const known: CachedSlice = { symbol, timeframe, slice, count, atMs: performance.now(), requestedAtMs };
    forgetUnread(known.atMs);
    cached.set(keyOf(symbol, timeframe), known);
    return known;
  }

  /** Hundreds of products can be read in turn. */
  function forgetUnread(nowMs: number): void {
    for (const [key, { symbol, atMs }] of cached) {
      const isProduct = ONLY_SPECIFIED.knownSymbol(symbol.sym) === null;
      if (isProduct && nowMs - atMs >= UNREAD_MS) cached.delete(key);
    }
  }

  /** No candle has closed since, or the last request was just now. */
  function isCurrent({ symbol, timeframe, slice, atMs, requestedAtMs }: CachedSlice, nowMs: number): boolean {
    if (nowMs - requestedAtMs < timing.retryMs) return true;
    if (slice.isStale || slice.asOfS === null) return false;
    const marketNowS = (slice.nowMs + nowMs - atMs) / 1000;
    return slice.asOfS >= lastTradedBar(symbol, slice.marketKind, marketNowS - barSecondsOf(timeframe), timeframe);
  }

  async function answer(raw: unknown): Promise<unknown> {
    const parsed = sliceRequestSchema.safeParse(raw);
    if (!parsed.success) throw new Error('not a valid request');
    const signal = AbortSignal.timeout(timing.answerMs);
    const symbol = await symbols.savedSymbol(parsed.data.sym, signal);
    if (symbol === null) throw new Error('not a valid request');
    try {
      const { count, timeframe } = parsed.data;
      const slice = await own.latest(symbol, count, signal, timeframe);
      return { slice: sliceMessage(slice) };
    } catch (error) {
      const refused = error instanceof AppError ? MARKET_REFUSALS.find((code) => code === error.code) : undefined;
      if (error instanceof AppError && refused !== undefined) return { refused, details: error.details };
      throw error;
    }
  }

  function notify(update: ServedUpdate): void {
    for (const listener of listeners) listener(update);
  }

  let stopAnswering: () => void = () => undefined;
  const unwatchReading = whenAlone(sharing, (next) => {
    reading = next;
    ledTerm = next.term ?? ledTerm;
    stopAnswering();
    stopAnswering = next.term === null ? () => undefined : bus.answer(slicesSubject(prefix), answer);
    // Slices of an earlier leader are requested again.
    cached.clear();
  });
  const stopWatching = giveWayWhenBlind(sharing.leadership, () => hasFreshCandles(own.state()));
  const unwatchOwn = own.watch((update) => {
    if (readsOwn()) notify(update);
    if (reading.term !== null) bus.publish(candleSubject(prefix), updateMessage(reading.term, update));
  });
  const unsubscribe = bus.subscribe(candleSubject(prefix), (raw) => {
    const received = readUpdate(raw, symbols.knownSymbol);
    if (received === null) malformed += 1;
    else if (terms.accepts(received.term) && received.term !== ledTerm && !readsOwn()) notify(received.update);
  });

  return {
    latest,
    hasVenue: (symbol) => own.hasVenue(symbol),
    state: () => (readsOwn() ? own.state() : [...cached.values()].map((one) => followedState(one, malformed))),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      unwatchReading();
      stopWatching();
      unwatchOwn();
      unsubscribe();
      stopAnswering();
      await own.close();
    },
  };
}

function keyOf({ sym }: MarketSymbol, timeframe: Timeframe): string {
  return `${sym} ${timeframe}`;
}

/** The last `count`, with the age of now: a slice that was fresh on arrival may be stale. */
function cut({ symbol, timeframe, slice, atMs }: CachedSlice, count: number): HistorySlice {
  const nowMs = slice.nowMs + performance.now() - atMs;
  const isStale = slice.isStale || isStaleAt(symbol, slice.marketKind, slice.asOfS, nowMs, timeframe);
  return { ...slice, candles: slice.candles.slice(-count), nowMs, isStale };
}

function followedState({ symbol, timeframe, slice, atMs }: CachedSlice, malformed: number): FeedState {
  const lastAtMs = slice.asOfS === null ? null : (slice.asOfS + barSecondsOf(timeframe)) * 1000;
  const nowMs = slice.nowMs + performance.now() - atMs;
  return {
    feed: 'candles',
    source: slice.venueId,
    subject: feedSubject({ symbol, timeframe }),
    isServing: true,
    lastAtMs,
    ageS: lastAtMs === null ? null : Math.max(0, (nowMs - lastAtMs) / 1000 - (barSecondsOf(timeframe) - MINUTE_S)),
    failures: 0,
    heldUntilMs: null,
    malformed,
    missing: 0,
    problem: null,
  };
}
