/** Each series has one venue and one kind of market: no caller mixes two by mistake. */
import { isAppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { Venue } from '../venues/venue.ts';
import type { CandleHistory } from './candle-history.ts';
import type { CandleMemory, CandleStore } from './candle-store.ts';
import { maxCandlesOf, type SymbolState } from './symbol-state.ts';

export interface PastSeries {
  marketKind: MarketKind;
  venueId: string;
  /** Oldest first, strictly rising in time; bars may be missing. */
  candles: readonly Candle[];
}

export interface CandlePast {
  /**
   * The last 1,499 bars in one call, or in none for a series in memory: about a day of minutes. Null when no venue
   * answers within ten seconds.
   */
  recent(symbol: MarketSymbol, signal: AbortSignal, timeframe?: Timeframe): Promise<PastSeries | null>;
  /**
   * Live candles that open in `[fromS, toS)`, of every venue that ever served. Empty where the market stores none.
   * @throws AppError `database/unavailable`, `database/busy`
   */
  stored(symbol: MarketSymbol, fromS: number, toS: number, timeframe?: Timeframe): Promise<PastSeries[]>;
}

export interface PastParts {
  history: CandleHistory;
  /** Null: nothing is stored. */
  store: Pick<CandleStore, 'readVenues'> | null;
}

/** One hung venue must not delay requests to the others. */
const PATIENCE_MS = 10_000;

export function candlePast({ history, store }: PastParts): CandlePast {
  return {
    async recent(symbol, signal, timeframe = DEFAULT_TIMEFRAME) {
      try {
        const inTime = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
        const { marketKind, venueId, candles } = await history.latest(
          symbol,
          maxCandlesOf(timeframe),
          inTime,
          timeframe,
        );
        return { marketKind, venueId, candles };
      } catch (error) {
        signal.throwIfAborted();
        if (isAppError(error) || isTimeout(error)) return null;
        throw error;
      }
    },
    async stored({ sym }, fromS, toS, timeframe) {
      if (store === null) return [];
      const venues = await store.readVenues(sym, fromS, toS, timeframe);
      return [...venues].map(([venueId, candles]) => ({ marketKind: 'live', venueId, candles }));
    },
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

export interface StoredPastParts {
  venue: Venue;
  store: CandleMemory;
  log: Logger;
  /** Its candles were stored only while it was watched: long ago, the venue's answer may have none in common. */
  isWatchedOnly?: boolean;
}

/** Where every minute trades, older stored candles are no unbroken past. Elsewhere bars of this many days are one. */
const SPAN_WITH_HOURS_S = 14 * 86_400;

/** Bars that the stored candles of a product at least share with the venue's newest. */
const MIN_COMMON = 15;

/** Loads stored candles into a series that is still empty; if it no longer is, only compares the two. Never rejects. */
export async function restorePast(state: SymbolState, parts: StoredPastParts): Promise<void> {
  const { venue, store, log, isWatchedOnly = false } = parts;
  const { series, symbol, timeframe, barS } = state;
  const count = maxCandlesOf(timeframe);
  try {
    const toS = Math.floor(venue.nowMs() / 1000);
    const fromS = isWatchedOnly ? toS - (count - MIN_COMMON) * barS : 0;
    const stored = await store.read(venue.id, symbol.sym, { fromS, toS, count, timeframe });
    if (state.series !== series || series.completeUntilS > 0) {
      if (state.series.compare(stored) === 'other') store.forget(venue.id, symbol.sym);
      return;
    }
    if (stored.length === 0) return;
    const unbrokenS = count * barS;
    const spanS = symbol.hours === 'always' ? unbrokenS : Math.max(unbrokenS, SPAN_WITH_HOURS_S);
    const firstS = (stored.at(-1)?.time ?? 0) - spanS;
    series.merge(
      stored.filter((candle) => candle.time > firstS),
      true,
      0,
    );
    state.isUnconfirmed = true;
  } catch (error) {
    log.warn({ err: error, sym: symbol.sym }, 'stored candles could not be read');
  }
}
