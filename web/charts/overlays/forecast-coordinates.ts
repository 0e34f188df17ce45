import type { SeriesAttachedParameter, Time, UTCTimestamp } from 'lightweight-charts';

export type Attached = SeriesAttachedParameter<Time>;

export interface PixelPoint {
  x: number;
  y: number;
}

/**
 * The join's point, then one per bar; null if the join is off the axis. Two coordinates give all, as it runs every
 * frame.
 */
export function traceFromJoin(
  prices: readonly number[],
  { joinS, barS, lastClose }: { joinS: number; barS: number; lastClose: number },
  { chart, series }: Attached,
): PixelPoint[] | null {
  const timeScale = chart.timeScale();
  const joinX = timeScale.timeToCoordinate(joinS as UTCTimestamp);
  const nextX = timeScale.timeToCoordinate((joinS + barS) as UTCTimestamp);
  const joinY = series.priceToCoordinate(lastClose);
  const apart = lastClose / 100;
  const apartY = series.priceToCoordinate(lastClose + apart);
  if (joinX === null || nextX === null || joinY === null || apartY === null) return null;
  const [barPx, pricePx] = [nextX - joinX, (apartY - joinY) / apart];
  const rest = prices.map((price, i) => ({ x: joinX + (i + 1) * barPx, y: joinY + (price - lastClose) * pricePx }));
  return [{ x: joinX, y: joinY }, ...rest];
}
