/** Plays a finished forecast as if it arrived now: its history immediately, then one candle per 100 ms. */
import { DEMO_REVEAL_MS } from '#domain/forecast/window.ts';
import {
  type CandleFeed,
  type ChartSeries,
  forecastCandles,
  realCandles,
} from '../../../charts/candles/candle-feed.ts';

/** Shows all candles immediately to anyone who prefers reduced motion. @returns stops; the drawn candles stay */
export function reveal(feed: CandleFeed, series: ChartSeries): () => void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
    feed.reset(series);
    return () => undefined;
  }
  const waiting = [...forecastCandles(series)];
  feed.reset({ ...series, candles: realCandles(series) });
  const timer = setInterval(() => {
    const next = waiting.shift();
    if (next === undefined) clearInterval(timer);
    else feed.append(next);
  }, DEMO_REVEAL_MS);
  return () => clearInterval(timer);
}
