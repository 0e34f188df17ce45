/** Where prices of forecast bars stand on a pane: what everything drawn over the forecast's ground shares. */
import type { SeriesAttachedParameter, Time, UTCTimestamp } from 'lightweight-charts';
import { MINUTE_S } from '#domain/market/candle.ts';

export type Attached = SeriesAttachedParameter<Time>;

export interface Point {
  x: number;
  y: number;
}

/** From the join on: its own point first, then one per forecast bar; null while the join is off the axis. */
export function traceFromJoin(
  prices: readonly number[],
  { joinS, lastClose }: { joinS: number; lastClose: number },
  { chart, series }: Attached,
): Point[] | null {
  const timeScale = chart.timeScale();
  const joinX = timeScale.timeToCoordinate(joinS as UTCTimestamp);
  const joinY = series.priceToCoordinate(lastClose);
  if (joinX === null || joinY === null) return null;
  const rest = prices.flatMap((price, i) => {
    const x = timeScale.timeToCoordinate((joinS + (i + 1) * MINUTE_S) as UTCTimestamp);
    const y = series.priceToCoordinate(price);
    return x === null || y === null ? [] : [{ x, y }];
  });
  return [{ x: joinX, y: joinY }, ...rest];
}
