import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';

/** The real candles that were forecast, and whether they are all known. @param barS  length of a candle in seconds */
export function outcomeSoFar(
  joinS: number,
  real: readonly Candle[],
  barS: number,
): { candles: Candle[]; isOver: boolean } {
  const endS = joinS + HORIZON_BARS * barS;
  const isOfThisMarket = real.some(({ time }) => time === joinS);
  const candles = isOfThisMarket ? real.filter(({ time }) => time > joinS && time <= endS) : [];
  return { candles, isOver: !isOfThisMarket || (real.at(-1)?.time ?? endS) >= endS };
}
