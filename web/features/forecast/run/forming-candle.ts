/** The candle after a forecast's known outcome, as far as its minutes have come. Loads with a longer timeframe. */
import { formingBar } from '#domain/market/bars.ts';
import type { Candle } from '#domain/market/candle.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { fetchHistory } from './history-api.ts';
import type { Market } from './market.ts';

/** @param startS  opening second of the candle @returns null without its minutes: then it appears once it has closed */
export async function loadForming(market: Market, startS: number, signal: AbortSignal): Promise<Candle | null> {
  const { candles } = await fetchHistory({ ...market, timeframe: DEFAULT_TIMEFRAME }, signal);
  return formingBar(candles, startS, barSecondsOf(market.timeframe));
}
