import type { Seam } from '../overlays/seam-primitive.ts';
import type { ChartSeries } from './candle-feed.ts';

/** A line before the bar of each release, as at a seam; releases of one bar share it. @param barS  length of a bar, seconds */
export function releaseMarks({ joinS, releases }: ChartSeries, barS: number): Seam[] {
  const names = new Map<number, string>();
  if (joinS === null) return [];
  for (const { atS, name } of releases?.list ?? []) {
    const afterS = joinS + Math.floor((atS - joinS) / barS) * barS;
    const known = names.get(afterS);
    names.set(afterS, [...(known === undefined ? [] : [known]), name].join(', '));
  }
  return [...names].map(([afterS, label]) => ({ beforeS: afterS - barS, afterS, label }));
}
