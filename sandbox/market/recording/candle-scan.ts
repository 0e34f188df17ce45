/** Finds candles of a time range for REST answers, bar by bar. Longer bars are added up from whole minutes. */

import { addUp } from '#domain/market/bars.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { SeenCandle } from '#domain/market/codecs/candle-rows.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../market-time.ts';

/** How far to scan across a closed market: no holiday is longer. */
const MAX_SCAN_MIN = 45 * 1440;

export interface Stretch {
  /** Start times in seconds, both inclusive; absent: unbounded. */
  fromS?: number;
  toS?: number;
  limit: number;
  /** Absent: one minute. */
  timeframe?: Timeframe;
}

export function candlesBack(listed: ListedSymbol, stretch: Stretch, nowMs: number): SeenCandle[] {
  const { fromS = 0, toS, limit, timeframe = DEFAULT_TIMEFRAME } = stretch;
  const barS = barSecondsOf(timeframe);
  const found: SeenCandle[] = [];
  const lastS = Math.min(toS ?? Number.POSITIVE_INFINITY, runningMinuteS(nowMs));
  const newestS = Math.floor(lastS / barS) * barS;
  const oldestS = Math.max(fromS, listed.source.firstS, newestS - MAX_SCAN_MIN * MINUTE_S);
  for (let timeS = newestS; timeS >= oldestS && found.length < limit; timeS -= barS) {
    const seen = seenAt(listed, timeS, barS, nowMs);
    if (seen !== null) found.push(seen);
  }
  return found;
}

export function candlesForward(listed: ListedSymbol, stretch: Stretch, nowMs: number): SeenCandle[] {
  const { fromS = 0, toS, limit, timeframe = DEFAULT_TIMEFRAME } = stretch;
  const barS = barSecondsOf(timeframe);
  const found: SeenCandle[] = [];
  const oldestS = Math.ceil(Math.max(fromS, listed.source.firstS) / barS) * barS;
  const lastS = Math.min(toS ?? Number.POSITIVE_INFINITY, runningMinuteS(nowMs));
  const newestS = Math.min(lastS, oldestS + MAX_SCAN_MIN * MINUTE_S);
  for (let timeS = oldestS; timeS <= newestS && found.length < limit; timeS += barS) {
    const seen = seenAt(listed, timeS, barS, nowMs);
    if (seen !== null) found.push(seen);
  }
  return found;
}

/** Null for a bar without one of its minutes so far. */
function seenAt(listed: ListedSymbol, timeS: number, barS: number, nowMs: number): SeenCandle | null {
  const minutes: Candle[] = [];
  for (let minuteS = timeS; minuteS < timeS + barS && minuteS * 1000 <= nowMs; minuteS += MINUTE_S) {
    const minute = candleSeenAt(listed, minuteS, nowMs);
    if (minute === null) return null;
    minutes.push(minute);
  }
  const [first] = minutes;
  if (first === undefined) return null;
  // A minute stays as its source has it, without a volume where there is none.
  const candle = barS === MINUTE_S ? first : addUp(minutes);
  return { candle, isClosed: (timeS + barS) * 1000 <= nowMs };
}
