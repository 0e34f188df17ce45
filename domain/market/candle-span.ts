/** Finds candles in long series by binary search, because a batch queries the same series again and again. */
import { type Candle, MINUTE_S } from './candle.ts';

/** @param barS  length of a candle, seconds */
export function candlesByTime(
  candles: readonly Candle[],
  firstS: number,
  lastS: number,
  barS: number = MINUTE_S,
): Map<number, Candle> {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candles[middle]?.time ?? 0) < firstS) low = middle + 1;
    else high = middle;
  }
  const span = candles.slice(low, low + (lastS - firstS) / barS + 1);
  return new Map(span.filter(({ time }) => time <= lastS).map((candle) => [candle.time, candle]));
}

/** The candles that open at these seconds, oldest first; null when one is missing. @param timesS  rising */
export function candlesOf(
  candles: readonly Candle[],
  timesS: readonly number[],
  barS: number = MINUTE_S,
): Candle[] | null {
  const byTime = candlesByTime(candles, timesS[0] ?? 0, timesS.at(-1) ?? 0, barS);
  const found = timesS.flatMap((timeS) => byTime.get(timeS) ?? []);
  return found.length === timesS.length ? found : null;
}
