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

/** Of the minutes so far, oldest first. */
interface Sum {
  day: DayFigures | null;
  /** When the newest candle was recorded; negative infinity before the first recorded one. */
  recordedS: number;
}

/** The finished minutes of the last 24 hours, until the minute turns: adding them up takes longer than all other work. */
const finished = new WeakMap<ListedSymbol, { runningS: number; sum: Sum }>();

/**
 * Null for a market without trades in that time. Reads 1,440 candles after each turn of the minute, else one. After a
 * replay's restart, only candles since then count, because earlier prices are of another time.
 */
export function dayFiguresAt(listed: ListedSymbol, nowMs: number): DayFigures | null {
  const runningS = runningMinuteS(nowMs);
  const { day } = joined(listed, finishedBefore(listed, runningS), runningS, candleSeenAt(listed, runningS, nowMs));
  if (day === null) return null;
  const { open, high, low, volume } = day;
  return { open, high, low, volume: fromUnits(Math.round(volume * 10 ** VOLUME_DECIMALS), VOLUME_DECIMALS) };
}

function finishedBefore(listed: ListedSymbol, runningS: number): Sum {
  const known = finished.get(listed);
  if (known?.runningS === runningS) return known.sum;
  let sum: Sum = { day: null, recordedS: Number.NEGATIVE_INFINITY };
  for (let timeS = runningS - (DAY_MIN - 1) * MINUTE_S; timeS < runningS; timeS += MINUTE_S)
    sum = joined(listed, sum, timeS, listed.source.candleAt(timeS));
  finished.set(listed, { runningS, sum });
  return sum;
}

function joined({ source }: ListedSymbol, sum: Sum, timeS: number, candle: Candle | null): Sum {
  if (candle === null) return sum;
  const { day, recordedS } = sum;
  const sourceS = source.sourceTimeOf(timeS) ?? recordedS;
  const { open, high, low, volume = 0 } = candle;
  const isNewRun = sourceS < recordedS;
  return {
    recordedS: sourceS,
    day:
      day === null || isNewRun
        ? { open, high, low, volume }
        : {
            open: day.open,
            high: Math.max(day.high, high),
            low: Math.min(day.low, low),
            volume: day.volume + volume,
          },
  };
}
