import type { ForecastReleases } from './forecast-releases.ts';

/**
 * 'US CPI, US jobs' by the opening second of the bar in which they fall.
 * @param joinS  opening second of the last real candle
 * @param barS  length of a bar, seconds
 */
export function releaseNamesByBar(
  releases: Pick<ForecastReleases, 'list'> | null | undefined,
  joinS: number,
  barS: number,
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { atS, name } of releases?.list ?? []) {
    const openS = joinS + Math.floor((atS - joinS) / barS) * barS;
    const known = names.get(openS);
    names.set(openS, known === undefined ? name : `${known}, ${name}`);
  }
  return names;
}
