/** Where time is missing between two candles. */
import { waitText } from '#domain/format/relative-time.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { Seam } from '../overlays/seam-primitive.ts';

/** @param candles  oldest first  @param barS  seconds from one bar to the next */
export function seamsOf(candles: readonly Candle[], barS: number): Seam[] {
  return candles.flatMap(({ time: afterS }, i) => {
    const beforeS = candles[i - 1]?.time ?? afterS;
    const missingS = afterS - beforeS - barS;
    return missingS <= 0 ? [] : [{ beforeS, afterS, label: waitText(missingS * 1000) }];
  });
}
