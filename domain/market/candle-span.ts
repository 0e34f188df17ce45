/** Finds minutes in long series by binary search, because a batch queries the same series again and again. */
import { type Candle, MINUTE_S } from './candle.ts';

export function candlesByTime(candles: readonly Candle[], firstS: number, lastS: number): Map<number, Candle> {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((candles[middle]?.time ?? 0) < firstS) low = middle + 1;
    else high = middle;
  }
  const span = candles.slice(low, low + (lastS - firstS) / MINUTE_S + 1);
  return new Map(span.filter(({ time }) => time <= lastS).map((candle) => [candle.time, candle]));
}

/** The candles of these minutes, oldest first; null when one is missing. @param minutes  rising */
export function candlesOf(candles: readonly Candle[], minutes: readonly number[]): Candle[] | null {
  const byTime = candlesByTime(candles, minutes[0] ?? 0, minutes.at(-1) ?? 0);
  const found = minutes.flatMap((timeS) => byTime.get(timeS) ?? []);
  return found.length === minutes.length ? found : null;
}
