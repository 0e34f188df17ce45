/** Plays a symbol's sample forecast: 150 candles immediately, then one per 100 ms. It sends no request. */
import { DEMO_REVEAL_MS, HISTORY_BARS } from '#domain/forecast/window.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { demoSeries } from './demo-series.ts';

/**
 * @param isMotionReduced  shows all 200 immediately, because nothing may move automatically
 * @returns a function that stops the demo
 */
export function playDemo(feed: CandleFeed, symbol: MarketSymbol, isMotionReduced: boolean): () => void {
  const { candles, joinS, band } = demoSeries(symbol);
  const shown = isMotionReduced ? candles.length : HISTORY_BARS;
  feed.reset({ candles: candles.slice(0, shown), joinS, band });
  const waiting = candles.slice(shown);
  const timer = setInterval(() => {
    const next = waiting.shift();
    if (next === undefined) clearInterval(timer);
    else feed.append(next);
  }, DEMO_REVEAL_MS);
  return () => clearInterval(timer);
}
