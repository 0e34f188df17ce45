/** REST code shared by candle connectors: paging back through history, and counting dropped rows. */
import { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { CandleRows } from '#domain/market/codecs/candle-rows.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';

/** Limit for a venue that never reports the start of its history: callers need a few thousand candles at most. */
const MAX_ROWS = 12_000;

export interface PagingOptions {
  /** Closed candles wanted. */
  count: number;
  /** Most rows per call. */
  maxRows: number;
  /** The venue's time before the first call, milliseconds: later minutes are dropped, whatever their row says. */
  asOfMs: number;
  malformed: MalformedCounter;
  /**
   * Makes one call: the newest rows, or those that open before `beforeMs` when it is not null.
   * `isEnd` means that the venue has no older ones; without it, a page with fewer rows than `limit` does.
   */
  page(limit: number, beforeMs: number | null): Promise<CandleRows & { isEnd?: boolean }>;
}

/**
 * Closed candles, oldest first, one a minute; fewer than `count` only when the venue has no more.
 * @throws the error of `page`; AppError `venue/unavailable` when every row was malformed
 */
export async function collectCandles({ count, maxRows, asOfMs, malformed, page }: PagingOptions): Promise<Candle[]> {
  const byTime = new Map<number, Candle>();
  const lastClosedS = Math.floor(asOfMs / 60_000) * 60 - 60;
  let dropped = 0;
  let beforeMs: number | null = null;
  for (let asked = 0; asked < MAX_ROWS && byTime.size < count; ) {
    // One more than is missing: the newest may be open.
    const limit = Math.min(maxRows, count - byTime.size + 1);
    const answer: CandleRows & { isEnd?: boolean } = await page(limit, beforeMs);
    asked += limit;
    malformed.add(answer.malformed, 'rest');
    dropped += answer.malformed;
    for (const { candle, isClosed } of answer.seen) {
      if (isClosed && candle.time <= lastClosedS) byTime.set(candle.time, candle);
    }
    const oldest = answer.seen[0]?.candle.time;
    if (answer.isEnd ?? answer.rows < limit) break;
    // No row to continue from, or the same page again: another call would return nothing new.
    const isStuck = oldest === undefined ? answer.rows > 0 : beforeMs !== null && oldest * 1000 >= beforeMs;
    if (isStuck) break;
    if (oldest !== undefined) beforeMs = oldest * 1000;
  }
  if (byTime.size === 0 && dropped > 0) throw onlyMalformed();
  return [...byTime.values()].sort((a, b) => a.time - b.time).slice(-count);
}

export interface MalformedCounter {
  readonly count: number;
  add(count: number, source: 'rest' | 'stream'): void;
}

/** @param venue  its name in the log */
export function malformedCounter(venue: string, log: Logger): MalformedCounter {
  let total = 0;
  return {
    get count() {
      return total;
    },
    add(count, source) {
      if (count === 0) return;
      total += count;
      log.warn({ venue, source, count }, 'malformed candles dropped');
    },
  };
}

/** For a symbol that the venue does not trade: symbols outside the table never reach a URL. */
export function notTradedHere(): AppError {
  return new AppError('venue/unavailable', { details: { reason: 'not traded here' } });
}

function onlyMalformed(): AppError {
  return new AppError('venue/unavailable', { details: { reason: 'only malformed candles' } });
}
