import { releaseNamesByBar } from '#domain/forecast/releases/release-bars.ts';
import type { Seam } from '../overlays/seam-primitive.ts';
import { type ChartSeries, releasesAhead } from './candle-feed.ts';

/** A line before the bar of each release, as at a seam; releases of one bar share it. @param barS  length of a bar, seconds */
export function releaseMarks(series: ChartSeries, barS: number): Seam[] {
  const joinS = series.joinS ?? series.usual?.t0 ?? 0;
  const names = releaseNamesByBar(releasesAhead(series), joinS, barS);
  return [...names].map(([afterS, label]) => ({ beforeS: afterS - barS, afterS, label }));
}
