import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../market-time.ts';
import { fromUnits } from './volume-shares.ts';

const DAY_MIN = 1440;
const VOLUME_DECIMALS = 8;

export interface DayFigures {
  open: number;
  high: number;
  low: number;
  volume: number;
}

/**
 * Null for a market without trades in that time. Reads 1,440 candles: call it once a second, not once a trade. After a
 * replay's restart, only candles since then count, because earlier prices are of another time.
 */
export function dayFiguresAt(listed: ListedSymbol, nowMs: number): DayFigures | null {
  const runningS = runningMinuteS(nowMs);
  let day: DayFigures | null = null;
  let recordedS = Number.NEGATIVE_INFINITY;
  for (let timeS = runningS - (DAY_MIN - 1) * MINUTE_S; timeS <= runningS; timeS += MINUTE_S) {
    const candle = timeS === runningS ? candleSeenAt(listed, timeS, nowMs) : listed.source.candleAt(timeS);
    if (candle === null) continue;
    const sourceS = listed.source.sourceTimeOf(timeS) ?? recordedS;
    const isNewRun = sourceS < recordedS;
    recordedS = sourceS;
    day = day === null || isNewRun ? { ...candle, volume: candle.volume ?? 0 } : joined(day, candle);
  }
  if (day === null) return null;
  const { open, high, low, volume } = day;
  return { open, high, low, volume: fromUnits(Math.round(volume * 10 ** VOLUME_DECIMALS), VOLUME_DECIMALS) };
}

function joined(day: DayFigures, candle: Candle): DayFigures {
  return {
    open: day.open,
    high: Math.max(day.high, candle.high),
    low: Math.min(day.low, candle.low),
    volume: day.volume + (candle.volume ?? 0),
  };
}
