/**
 * The live price of a market and the minutes of its running windows: from its stored candles, read again every two
 * seconds while it is used, and from its stream in between.
 */
import type { Moment } from '#domain/chances/question.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { unlessAborted, within } from '#domain/time/deadline.ts';
import type { HistorySlice } from '../../market/candles/candle-history.ts';
import type { FailoverHistory } from '../../market/candles/failover-history.ts';
import type { SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';

export interface MarketMoment extends Moment {
  /** Of one minute, oldest first; the last one may be unfinished. */
  candles: readonly Candle[];
  marketKind: MarketKind;
}

export interface MarketMoments {
  /** @throws AppError `market/closed`, `market/delisted`; those of CandleHistory.latest without any candle */
  now(symbol: MarketSymbol, signal: AbortSignal): Promise<MarketMoment>;
  close(): void;
}

export interface MarketMomentDeps {
  history: Pick<FailoverHistory, 'latest' | 'watch'>;
  symbols: Pick<SymbolLookup, 'endOf'>;
  /** Monotonic milliseconds; a test passes its own. */
  monotonicMs?: () => number;
}

/** An hour, its open, and a few that are late. */
const MINUTES = 64;
/** Between two reads of one symbol's history. */
const PERIOD_MS = 2000;
/** How long an answer waits for newer candles than it has. */
const NEWER_MS = 200;
/** Symbols that no one has used for this long are forgotten. */
const FORGET_MS = 10 * 60_000;

interface Watched {
  symbol: MarketSymbol;
  /** By opening second. */
  minutes: Map<number, Candle>;
  slice: Omit<HistorySlice, 'candles'> | null;
  takenAtMs: number;
  /** Of the stream, with the market's time at its arrival. */
  newest: { candle: Candle; atMs: number } | null;
  reading: Promise<void> | null;
  readAtMs: number;
  wantedAtMs: number;
}

export function openMarketMoments({ history, symbols, ...options }: MarketMomentDeps): MarketMoments {
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const lifetime = new AbortController();
  const watched = new Map<string, Watched>();

  const marketMs = (one: Watched): number => (one.slice?.nowMs ?? Number.NaN) + monotonicMs() - one.takenAtMs;

  const unwatch = history.watch(({ symbol, candle }) => {
    const one = watched.get(symbol.sym);
    if (one === undefined || one.slice === null) return;
    one.newest = { candle, atMs: marketMs(one) };
    one.minutes.set(candle.time, candle);
  });

  function watchedOf(symbol: MarketSymbol): Watched {
    const known = watched.get(symbol.sym);
    if (known !== undefined) return known;
    const never = Number.NEGATIVE_INFINITY;
    const fresh: Watched = {
      symbol,
      minutes: new Map(),
      slice: null,
      takenAtMs: 0,
      newest: null,
      reading: null,
      readAtMs: never,
      wantedAtMs: never,
    };
    watched.set(symbol.sym, fresh);
    return fresh;
  }

  async function read(one: Watched): Promise<void> {
    const { candles, ...slice } = await history.latest(one.symbol, MINUTES, lifetime.signal);
    one.slice = slice;
    one.takenAtMs = monotonicMs();
    for (const candle of candles) one.minutes.set(candle.time, candle);
    const fromS = (slice.asOfS ?? 0) - MINUTES * MINUTE_S;
    for (const time of one.minutes.keys()) if (time < fromS) one.minutes.delete(time);
  }

  /** One at a time a symbol, shared by all who wait. @throws AppError */
  function refresh(one: Watched): Promise<void> {
    const nowMs = monotonicMs();
    if (one.reading !== null) return one.reading;
    if (nowMs - one.readAtMs < PERIOD_MS && one.slice !== null) return Promise.resolve();
    one.readAtMs = nowMs;
    one.reading = read(one).finally(() => {
      one.reading = null;
    });
    // Every caller may have left when it fails.
    one.reading.catch(() => undefined);
    return one.reading;
  }

  function forgetUnwatched(): void {
    for (const [sym, { wantedAtMs }] of watched) if (monotonicMs() - wantedAtMs > FORGET_MS) watched.delete(sym);
  }

  return {
    async now(symbol, signal) {
      forgetUnwatched();
      const one = watchedOf(symbol);
      one.wantedAtMs = monotonicMs();
      const reading = refresh(one);
      // Candles that are known already give an answer while the venue is slow or fails.
      await (one.slice === null
        ? unlessAborted(reading, signal)
        : within(
            reading.catch(() => undefined),
            NEWER_MS,
          ));
      return momentOf(one, symbols.endOf(symbol.sym), marketMs(one));
    },
    close() {
      unwatch();
      lifetime.abort();
    },
  };
}

/** @param end  why the market has no prices any more */
function momentOf({ symbol, minutes, slice, newest }: Watched, end: AppError | null, nowMs: number): MarketMoment {
  if (end !== null && end.code !== 'market/halted') throw end;
  const candles = [...minutes.values()].sort((a, b) => a.time - b.time);
  const last = candles.findLast(({ time }) => time <= (slice?.asOfS ?? 0));
  if (slice === null || last === undefined) throw new AppError('venue/unavailable', { details: { sym: symbol.sym } });
  if (!slice.isOpen && end === null) throw new AppError('market/closed', { details: { sym: symbol.sym } });
  const isNewer = newest !== null && newest.candle.time > last.time;
  const lastEndMs = (last.time + MINUTE_S) * 1000;
  return {
    nowMs,
    price: isNewer ? newest.candle.close : last.close,
    priceAtMs: isNewer ? newest.atMs : Math.min(nowMs, Math.max(lastEndMs, newest?.atMs ?? lastEndMs)),
    isHalted: end !== null,
    candles,
    marketKind: slice.marketKind,
  };
}
