import type { Seam } from '../overlays/seam-primitive.ts';
import { type ChartSeries, releasesAhead } from './candle-feed.ts';

/** A line before the bar of each release, as at a seam; releases of one bar share it. @param barS  length of a bar, seconds */
export function releaseMarks(series: ChartSeries, barS: number): Seam[] {
  const names = new Map<number, string>();
  const joinS = series.joinS ?? series.usual?.t0 ?? 0;
  for (const { atS, name } of releasesAhead(series)?.list ?? []) {
    const afterS = joinS + Math.floor((atS - joinS) / barS) * barS;
    const known = names.get(afterS);
    names.set(afterS, [...(known === undefined ? [] : [known]), name].join(', '));
  }
  return [...names].map(([afterS, label]) => ({ beforeS: afterS - barS, afterS, label }));
}
