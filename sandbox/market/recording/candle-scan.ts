/** Finds candles of a time range for REST answers, minute by minute. */
import { MINUTE_S } from '#domain/market/candle.ts';
import type { SeenCandle } from '#domain/market/codecs/candle-rows.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../market-time.ts';

/** How far to scan across a closed market: no holiday is longer. */
const MAX_SCAN_MIN = 45 * 1440;

export interface Stretch {
  /** Start times in seconds, both inclusive; absent: unbounded. */
  fromS?: number;
  toS?: number;
  limit: number;
}

export function candlesBack(listed: ListedSymbol, { fromS = 0, toS, limit }: Stretch, nowMs: number): SeenCandle[] {
  const found: SeenCandle[] = [];
  const lastS = Math.min(toS ?? Number.POSITIVE_INFINITY, runningMinuteS(nowMs));
  const newestS = Math.floor(lastS / MINUTE_S) * MINUTE_S;
  const oldestS = Math.max(fromS, listed.source.firstS, newestS - MAX_SCAN_MIN * MINUTE_S);
  for (let timeS = newestS; timeS >= oldestS && found.length < limit; timeS -= MINUTE_S) {
    const seen = seenAt(listed, timeS, nowMs);
    if (seen !== null) found.push(seen);
  }
  return found;
}

export function candlesForward(listed: ListedSymbol, { fromS = 0, toS, limit }: Stretch, nowMs: number): SeenCandle[] {
  const found: SeenCandle[] = [];
  const oldestS = Math.ceil(Math.max(fromS, listed.source.firstS) / MINUTE_S) * MINUTE_S;
  const lastS = Math.min(toS ?? Number.POSITIVE_INFINITY, runningMinuteS(nowMs));
  const newestS = Math.min(lastS, oldestS + MAX_SCAN_MIN * MINUTE_S);
  for (let timeS = oldestS; timeS <= newestS && found.length < limit; timeS += MINUTE_S) {
    const seen = seenAt(listed, timeS, nowMs);
    if (seen !== null) found.push(seen);
  }
  return found;
}

function seenAt(listed: ListedSymbol, timeS: number, nowMs: number): SeenCandle | null {
  const candle = candleSeenAt(listed, timeS, nowMs);
  return candle === null ? null : { candle, isClosed: (timeS + MINUTE_S) * 1000 <= nowMs };
}
