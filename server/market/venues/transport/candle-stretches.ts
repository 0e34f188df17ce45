/** Shared by connectors whose venues answer by time range, without rows for minutes without trades. */
import { AppError } from '#domain/errors/app-error.ts';
import { isInWeek, openMinutesBack } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { CandleRows } from '#domain/market/codecs/candle-rows.ts';
import type { HoursId } from '#domain/market/symbols.ts';
import type { MalformedCounter } from './candle-pages.ts';

const DAY_S = 86_400;
/** Each range is at least twice as long as the one before, so that a quiet market costs few calls too. */
const MAX_CALLS = 10;

export interface StretchOptions {
  hours: HoursId;
  /** Closed candles wanted. */
  count: number;
  /** The market's time, milliseconds: minutes that end later are ignored. */
  asOfMs: number;
  /** Days per call, and days of history that the venue has. */
  callDays: number;
  historyDays: number;
  malformed: MalformedCounter;
  /** Makes one call: candles that open in `[fromS, toS)`, epoch seconds. */
  ask(fromS: number, toS: number): Promise<CandleRows>;
}

/**
 * Closed candles, oldest first; fewer than `count` only when the venue has no more. Trades of shares outside regular
 * hours are dropped and do not count as malformed.
 * @throws the error of `ask`; AppError `venue/unavailable` when every row was malformed
 */
export async function collectStretches(options: StretchOptions): Promise<Candle[]> {
  const { hours, count, asOfMs, callDays, historyDays, malformed, ask } = options;
  const endS = Math.floor(asOfMs / 1000 / MINUTE_S) * MINUTE_S;
  const oldestS = endS - historyDays * DAY_S;
  const byTime = new Map<number, Candle>();
  const malformedBefore = malformed.count;
  let toS = endS;
  let minutes = 0;
  for (let call = 0; call < MAX_CALLS && byTime.size < count && toS > oldestS; call++) {
    minutes = Math.max(2 * minutes, Math.ceil((count - byTime.size) * 1.1) + 3);
    const fromS = Math.max(oldestS, toS - callDays * DAY_S, openMinutesBack(hours, toS, minutes));
    const answer = await ask(fromS, toS);
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

/**
 * Only shares trade outside their hours. Holidays are not checked: a venue's candles of a day closed in our table are
 * accepted, and a replay plays past days.
 */
export function isWanted(hours: HoursId, timeS: number): boolean {
  return hours !== 'nasdaq' || isInWeek(hours, timeS);
}
