/** Plays the sample forecast of a symbol: 150 candles at once, then one per 100 ms. Asks nothing of any server. */
import { DEMO_REVEAL_MS, HISTORY_BARS } from '#domain/forecast/window.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import { demoSeries } from './demo-series.ts';

/**
 * @param isMotionReduced  shows all 200 at once: nothing may move by itself
 * @returns the undo
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
