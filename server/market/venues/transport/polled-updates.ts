/** Updates of a service that streams nothing: symbols with readers are requested once a minute. */
import { setTimeout as pause } from 'node:timers/promises';
import { isAppError } from '#domain/errors/app-error.ts';
import { lastOpenMinute } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { CandleUpdate } from '../venue.ts';

/** A symbol stays wanted this long after a read. A regular reader then fetches, which makes it wanted again. */
const WANTED_MS = 300_000;

export interface Readers {
  /** Records candles that a reader fetched. */
  record(symbol: MarketSymbol, candles: readonly Candle[]): void;
  isWanted(symbol: MarketSymbol, minuteS: number): boolean;
}

/** @param monotonicMs  a test passes its own */
export function pollingReaders(monotonicMs: () => number = () => performance.now()): Readers {
  const reads = new Map<string, { newestS: number; atMs: number }>();
  return {
    record({ sym }, candles) {
      const newestS = Math.max(reads.get(sym)?.newestS ?? 0, candles.at(-1)?.time ?? 0);
      reads.set(sym, { newestS, atMs: monotonicMs() });
    },
    isWanted({ sym }, minuteS) {
      const last = reads.get(sym);
      return last !== undefined && monotonicMs() - last.atMs < WANTED_MS && last.newestS < minuteS;
    },
  };
}

export interface PollingOptions {
  venue: string;
  symbols: readonly MarketSymbol[];
  /** False for a symbol not requested lately, or a minute that a reader has already fetched: no call is made. */
  isWanted(symbol: MarketSymbol, minuteS: number): boolean;
  /** The market's own time, milliseconds. */
  nowMs(): number;
  candles(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]>;
  log: Logger;
  /** Interval between clock checks; a test may change it. */
  checkMs?: number | undefined;
}

const CHECK_MS = 1000;
/** A minute's candle may come this late. */
const SETTLE_MS = 3000;
/** After an outage at most this many are caught up on; history has the others. */
const MAX_CAUGHT_UP = 10;

/** Yields until `signal` aborts; ends immediately without symbols. */
export async function* polledUpdates(options: PollingOptions, signal: AbortSignal): AsyncGenerator<CandleUpdate, void> {
  const { venue, symbols, isWanted, nowMs, candles, log, checkMs = CHECK_MS } = options;
  const requestedS = new Map<string, number>();
  const publishedS = new Map<string, number>();

  /** Closed candles not published yet; empty when the newest minute was already requested. */
  async function newCandles(symbol: MarketSymbol): Promise<Candle[]> {
    const dueS = lastOpenMinute(symbol.hours, (nowMs() - SETTLE_MS) / 1000 - MINUTE_S);
    if (dueS === requestedS.get(symbol.sym) || !isWanted(symbol, dueS)) return [];
    requestedS.set(symbol.sym, dueS);
    const lastS = publishedS.get(symbol.sym);
    const missed = lastS === undefined ? 1 : Math.round((dueS - lastS) / MINUTE_S);
    const count = Math.min(MAX_CAUGHT_UP, Math.max(1, missed)) + 1;
    const found = (await candles(symbol, count, signal)).filter((candle) => candle.time > (lastS ?? 0));
    publishedS.set(symbol.sym, found.at(-1)?.time ?? lastS ?? 0);
    return found;
  }

  while (symbols.length > 0 && !signal.aborted) {
    for (const symbol of symbols) {
      try {
        for (const candle of await newCandles(symbol)) yield { symbol, candle, isClosed: true };
      } catch (error) {
        if (signal.aborted) return;
        if (!isAppError(error)) throw error;
        log.debug({ venue, sym: symbol.sym, reason: error.details.reason }, 'no new candle this minute');
      }
    }
    // An abort ends the pause; that is not an error.
    await pause(checkMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
