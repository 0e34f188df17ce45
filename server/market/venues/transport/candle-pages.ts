/** What candle connectors share on the REST side: paging back through history, and counting what had to be dropped. */
import { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { CandleRows } from '#domain/market/codecs/candle-rows.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';

/** Nobody needs more than a few thousand candles: a venue that never says where its history begins is asked no further. */
const MAX_ROWS = 12_000;

export interface PagingOptions {
  /** Closed candles wanted. */
  count: number;
  /** Rows that one call may ask for. */
  maxRows: number;
  /** The venue's time before the first call, milliseconds: what had not ended by then is left out, whatever its row says. */
  asOfMs: number;
  malformed: MalformedCounter;
  /**
   * One call: the newest rows, of those that open before `beforeMs` where it is not null.
   * `isEnd` says that the venue has no older ones; absent, a page with fewer rows than `limit` says so.
   */
  page(limit: number, beforeMs: number | null): Promise<CandleRows & { isEnd?: boolean }>;
}

/**
 * Closed candles, oldest first, one a minute; fewer than `count` only when the venue has no more.
 * @throws what `page` throws; AppError `venue/unavailable` when every row was malformed
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
    // Nothing to go on from, or the same page again: asking on would bring nothing else.
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

/** @param venue  named in the log */
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

/** For a symbol that the venue does not trade: nothing outside the table ever reaches an address. */
export function notTradedHere(): AppError {
  return new AppError('venue/unavailable', { details: { reason: 'not traded here' } });
}

function onlyMalformed(): AppError {
  return new AppError('venue/unavailable', { details: { reason: 'only malformed candles' } });
}
