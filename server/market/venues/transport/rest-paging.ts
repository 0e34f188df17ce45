import { AppError } from '#domain/errors/app-error.ts';
import { isInWeek, openMinutesBack } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { CandleRows } from '#domain/market/codecs/candle-rows.ts';
import type { HoursId } from '#domain/market/symbols.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';

/** Limit for a venue that never reports the start of its history: callers need a few thousand candles at most. */
const MAX_ROWS = 12_000;

export interface PagingOptions {
  count: number;
  maxRows: number;
  /** The venue's time before the first call, milliseconds: later bars are dropped, whatever their row says. */
  asOfMs: number;
  /** Length of a candle, seconds. */
  barS: number;
  malformed: MalformedCounter;
  /**
   * The newest rows, or those that open before `beforeMs`. `isEnd`, or a page short of `limit`, means no older ones.
   */
  page(limit: number, beforeMs: number | null): Promise<CandleRows & { isEnd?: boolean }>;
}

/**
 * Closed candles, oldest first, one a bar; fewer than `count` only when the venue has no more.
 * @throws the error of `page`; AppError `venue/unavailable` when every row was malformed
 */
export async function collectCandles({
  count,
  maxRows,
  asOfMs,
  barS,
  malformed,
  page,
}: PagingOptions): Promise<Candle[]> {
  const byTime = new Map<number, Candle>();
  const lastClosedS = Math.floor(asOfMs / 1000 / barS) * barS - barS;
  let dropped = 0;
  let beforeMs: number | null = null;
  for (let requested = 0; requested < MAX_ROWS && byTime.size < count; ) {
    // One more than is missing: the newest may be open.
    const limit = Math.min(maxRows, count - byTime.size + 1);
    const answer: CandleRows & { isEnd?: boolean } = await page(limit, beforeMs);
    requested += limit;
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

const DAY_S = 86_400;
/** Each range is at least twice as long as the one before, so that a quiet market costs few calls too. */
const MAX_CALLS = 10;

export interface StretchOptions {
  hours: HoursId;
  count: number;
  /** The market's time, milliseconds: bars that end later are ignored. */
  asOfMs: number;
  /** Length of a candle, seconds. */
  barS: number;
  /** Days per call, and days of history that the venue has. */
  callDays: number;
  historyDays: number;
  malformed: MalformedCounter;
  /** Makes one call: candles that open in `[fromS, toS)`, epoch seconds. */
  fetchRange(fromS: number, toS: number): Promise<CandleRows>;
}

/**
 * Oldest first; fewer than `count` only when the venue has no more. Trades of shares outside regular hours are dropped.
 * @throws the error of `ask`; AppError `venue/unavailable` when every row was malformed
 */
export async function collectStretches(options: StretchOptions): Promise<Candle[]> {
  const { hours, count, asOfMs, barS, callDays, historyDays, malformed, fetchRange } = options;
  const endS = Math.floor(asOfMs / 1000 / barS) * barS;
  const oldestS = endS - historyDays * DAY_S;
  const byTime = new Map<number, Candle>();
  const malformedBefore = malformed.count;
  let toS = endS;
  let minutes = 0;
  for (let call = 0; call < MAX_CALLS && byTime.size < count && toS > oldestS; call++) {
    minutes = Math.max(2 * minutes, Math.ceil((count - byTime.size) * 1.1 * (barS / MINUTE_S)) + 3);
    const wantedS = openMinutesBack(hours, toS, minutes);
    const fromS = Math.max(oldestS, toS - callDays * DAY_S, Math.floor(wantedS / barS) * barS);
    const answer = await fetchRange(fromS, toS);
    malformed.add(answer.malformed, 'rest');
    for (const { candle, isClosed } of answer.seen) {
      const isWithin = candle.time >= fromS && candle.time < toS;
      if (isClosed && isWithin && isWanted(hours, candle.time)) byTime.set(candle.time, candle);
    }
    toS = fromS;
  }
  if (byTime.size === 0 && malformed.count > malformedBefore) {
    throw new AppError('venue/unavailable', { details: { reason: 'only malformed candles' } });
  }
  return [...byTime.values()].sort((a, b) => a.time - b.time).slice(-count);
}

/** Only shares trade outside their hours. Holidays are not checked: a replay plays past days. */
export function isWanted(hours: HoursId, timeS: number): boolean {
  return hours !== 'nasdaq' || isInWeek(hours, timeS);
}
