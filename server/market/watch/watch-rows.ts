/**
 * Prices and ranges of watched pairs, from the candles in memory: computed once a minute and symbol, and a range once a
 * bar, however many watch. A symbol is fetched only while someone watches it.
 */
import { type ErrorCode, isAppError } from '#domain/errors/app-error.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { coinNameOfLabel } from '#domain/market/catalogue/coin-names.ts';
import { isSpecified, type MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import { within } from '#domain/time/deadline.ts';
import { type BarRange, barRange, type RangeGap } from '#domain/watchlist/bar-range.ts';
import type { WatchRow } from '#domain/watchlist/watch-row.ts';
import type { WatchedPair } from '#domain/watchlist/watchlist.ts';
import type { HistorySlice } from '../candles/candle-history.ts';
import type { FailoverHistory } from '../candles/failover-history.ts';
import type { SymbolLookup } from '../catalogue/symbol-lookup.ts';
import type { MarketSource } from '../market-source.ts';

export interface WatchRowsOptions {
  history: Pick<FailoverHistory, 'latest' | 'watch'>;
  symbols: Pick<SymbolLookup, 'savedSymbol' | 'tradedSymbol'>;
  recordedAtS?: MarketSource['recordedAtS'];
  /** How long an answer waits for a symbol without any price, milliseconds. */
  patienceMs?: number;
  /** Monotonic milliseconds; a test passes its own. */
  monotonicMs?: () => number;
}

export interface WatchRows {
  /** Never rejects for a venue's failure: the pair's row reports it. */
  rowsOf(pairs: readonly WatchedPair[]): Promise<WatchRow[]>;
  /** Codes of the products beside the ten: no other name calls a venue. */
  productsOf(pairs: readonly WatchedPair[]): Promise<string[]>;
  close(): void;
}

/** A day, and the longest bar. */
const MINUTES = 1440;
const LINE_POINTS = 24;
const PATIENCE_MS = 1500;
/** How long it waits for newer prices than it has. */
const NEWER_MS = 200;
/** Between two reads of one symbol's history. */
const PERIOD_MS = 2000;
/** Symbols that no one has watched for this long are forgotten. */
const FORGET_MS = 10 * 60_000;

/** Refusals of a product that cannot be watched any more. */
const ENDED: readonly ErrorCode[] = ['market/unknown-symbol', 'market/delisted'];

interface Watched {
  sym: string;
  /** Null until looked up, and for a name that no product has. */
  symbol: MarketSymbol | null;
  day: Day | null;
  /** Why there is no newer day; null after a success. */
  failure: 'unavailable' | 'unknown' | null;
  /** Of the stream, the open minute too. */
  newest: Candle | null;
  ranges: Map<Timeframe, { opensS: number; range: BarRange | RangeGap }>;
  reading: Promise<void> | null;
  readAtMs: number;
  wantedAtMs: number;
}

interface Day extends Omit<HistorySlice, 'candles' | 'asOfS'> {
  /** Since the last restart of a replay, because earlier prices are of another time. */
  minutes: readonly Candle[];
  last: Candle;
  change: (price: number) => number | null;
  line: readonly number[];
}

export function openWatchRows(options: WatchRowsOptions): WatchRows {
  const { history, symbols, recordedAtS = () => null, patienceMs = PATIENCE_MS } = options;
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const lifetime = new AbortController();
  const watched = new Map<string, Watched>();

  const unwatch = history.watch(({ symbol, candle }) => {
    const one = watched.get(symbol.sym);
    if (one !== undefined) one.newest = candle;
  });

  function watchedOf(sym: string): Watched {
    const known = watched.get(sym);
    if (known !== undefined) return known;
    const fresh: Watched = {
      sym,
      symbol: null,
      day: null,
      failure: null,
      newest: null,
      ranges: new Map(),
      reading: null,
      readAtMs: Number.NEGATIVE_INFINITY,
      wantedAtMs: Number.NEGATIVE_INFINITY,
    };
    watched.set(sym, fresh);
    return fresh;
  }

  /** One at a time a symbol, shared by all who wait. */
  function refresh(one: Watched): Promise<void> {
    const nowMs = monotonicMs();
    one.wantedAtMs = nowMs;
    if (one.reading !== null) return one.reading;
    if (nowMs - one.readAtMs < PERIOD_MS) return Promise.resolve();
    one.readAtMs = nowMs;
    one.reading = read(one).finally(() => {
      one.reading = null;
    });
    return one.reading;
  }

  async function read(one: Watched): Promise<void> {
    try {
      one.symbol = await tradedNow(one.sym);
      if (one.symbol === null) {
        one.failure = 'unknown';
        return;
      }
      const { candles, asOfS: _, ...slice } = await history.latest(one.symbol, MINUTES, lifetime.signal);
      const last = candles.at(-1);
      one.failure = last === undefined ? 'unavailable' : null;
      // What a minute determines is computed once for all reads within it.
      if (last === undefined) return;
      const day = last === one.day?.last ? one.day : dayOf(sinceRestart(one.symbol, candles), last);
      one.day = { ...day, ...slice };
    } catch (error) {
      one.failure = isAppError(error) && ENDED.includes(error.code) ? 'unknown' : 'unavailable';
    } finally {
      // Any name can be requested: those of no product must not fill the memory.
      if (one.symbol === null) watched.delete(one.sym);
    }
  }

  /** Looked up each time, from memory: a product may be delisted while it is watched. */
  async function tradedNow(sym: string): Promise<MarketSymbol | null> {
    const symbol = await symbols.savedSymbol(sym, lifetime.signal);
    return symbol && symbols.tradedSymbol(symbol.exc, sym, lifetime.signal);
  }

  function sinceRestart(symbol: MarketSymbol, candles: readonly Candle[]): readonly Candle[] {
    const isFirst = ({ time }: Candle, i: number): boolean => {
      const [before, after] = [recordedAtS(symbol, candles[i - 1]?.time ?? time), recordedAtS(symbol, time)];
      return before !== null && after !== null && after < before;
    };
    return candles.slice(Math.max(0, candles.findLastIndex(isFirst)));
  }

  function forgetUnwatched(): void {
    for (const [sym, { wantedAtMs }] of watched) if (monotonicMs() - wantedAtMs > FORGET_MS) watched.delete(sym);
  }

  return {
    async rowsOf(pairs) {
      forgetUnwatched();
      const wanted = new Map(pairs.map(({ sym }) => [sym, watchedOf(sym)]));
      const isNew = [...wanted.values()].some(({ day, failure }) => day === null && failure === null);
      await within(Promise.all([...wanted.values()].map(refresh)), isNew ? patienceMs : NEWER_MS);
      return pairs.map((pair) => rowOf(pair, wanted.get(pair.sym)));
    },
    async productsOf(pairs) {
      const names = new Set(pairs.flatMap(({ sym }) => (isSpecified(sym) ? [] : [sym])));
      const found = await Promise.all([...names].map((sym) => tradedNow(sym).catch(() => null)));
      return found.flatMap((symbol) => symbol?.sym ?? []);
    },
    close() {
      unwatch();
      lifetime.abort();
    },
  };
}

function dayOf(minutes: readonly Candle[], last: Candle): Pick<Day, 'minutes' | 'last' | 'change' | 'line'> {
  const fromS = last.time + MINUTE_S - MINUTES * MINUTE_S;
  const day = minutes.filter(({ time }) => time >= fromS);
  const opening = day[0]?.open ?? null;
  const step = Math.max(1, Math.floor(day.length / LINE_POINTS));
  // Counted from the end, so that the last close is the line's end.
  const line = day.filter((_, i) => (day.length - 1 - i) % step === 0).map(({ close }) => close);
  return { minutes, last, change: (price) => (opening === null ? null : price / opening - 1), line };
}

function rowOf(pair: WatchedPair, one: Watched | undefined): WatchRow {
  if (one === undefined || one.failure === 'unknown') return { ...pair, state: 'unknown' };
  const { symbol, day, newest, failure } = one;
  if (day === null || symbol === null) return { ...pair, state: failure ?? 'loading' };
  const { marketKind, attribution, delayS, isOpen, last, line } = day;
  const isStale = day.isStale || failure !== null;
  const price = newest !== null && newest.time > last.time ? newest.close : last.close;
  const range = isOpen && !isStale ? rangeOf(one, day, pair.timeframe) : null;
  return {
    ...pair,
    state: 'known',
    label: symbol.label,
    name: coinNameOfLabel(symbol.label) ?? '',
    exc: symbol.exc,
    decimals: symbol.decimals,
    price,
    change24h: day.change(price),
    line: [...line],
    asOfS: last.time,
    isOpen,
    isStale,
    marketKind,
    attribution,
    delayS,
    range: typeof range === 'string' || range === null ? null : onGrid(range, symbol.decimals),
    rangeGap: typeof range === 'string' ? range : null,
  };
}

/** One digit more than prices have: longer numbers would be most of an answer. */
function onGrid({ lower, upper, ...bar }: BarRange, decimals: number): BarRange {
  const short = (price: number) => Number(price.toFixed(decimals + 1));
  return { ...bar, lower: short(lower), upper: short(upper) };
}

function rangeOf(one: Watched, { minutes, last }: Day, timeframe: Timeframe): BarRange | RangeGap {
  const barS = barSecondsOf(timeframe);
  const opensS = Math.floor((last.time + MINUTE_S) / barS) * barS;
  const known = one.ranges.get(timeframe);
  // A repaired gap may complete the last bar.
  if (known !== undefined && known.opensS === opensS && typeof known.range !== 'string') return known.range;
  const range = barRange(minutes, timeframe);
  one.ranges.set(timeframe, { opensS, range });
  return range;
}
