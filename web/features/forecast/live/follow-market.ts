/** What moves on a chart without its user: its candles and the usual range. Loads once the chart is drawn. */
import type { CandleFeed } from '../../../charts/candles/candle-feed.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import { fetchHistory } from '../run/fetch-history.ts';
import { followLive } from './follow-live.ts';
import { followUsual } from './follow-usual.ts';
import { fetchUsualRange } from './usual-range-api.ts';

/** @returns a function that stops */
export function followMarket(feed: CandleFeed, market: ChartMarket): () => void {
  const stops = [followLive(feed, market, fetchHistory), followUsual(feed, market, fetchUsualRange)];
  return () => {
    for (const stop of stops) stop();
  };
}
