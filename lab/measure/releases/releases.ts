/** Moments of scheduled releases, for windows around them. The file is `time,currency,event`, epoch seconds. */
import { readFileSync } from 'node:fs';
import type { TimedRelease } from '../../../domain/forecast/releases/widening.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { type Release, readReleaseRows, releasesOf } from '../../../domain/market/calendar/release.ts';
import type { ReleaseKind } from '../../../domain/market/calendar/release-kinds.ts';
import { MINUTE_S } from '../../../domain/market/candle.ts';
import { barSecondsOf } from '../../../domain/market/timeframes.ts';
import { BadInput } from '../../../scripts/bad-input.ts';
import type { WindowCut } from '../measured-symbols.ts';
import { type Window, windowsWhere } from '../windows/windows.ts';

/** The first release of a window. */
export interface WindowRelease {
  kind: ReleaseKind;
  /** From the forecast to the release, minutes; 0: at the moment of the forecast. */
  in_min: number;
}

/** @throws BadInput naming the line */
export function readReleases(file: string): Release[] {
  try {
    return releasesOf(readReleaseRows(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new BadInput(
      error instanceof Error && !('code' in error) ? `${file}: ${error.message}` : `${file} can't be read`,
      { cause: error },
    );
  }
}

/** The first release between the forecast, which is made when the bar at t0 closes, and its last bar's close; null for none. */
export function releaseOf(
  { t0, file: { timeframe } }: Pick<Window, 't0' | 'file'>,
  releases: readonly TimedRelease[],
): WindowRelease | null {
  const barS = barSecondsOf(timeframe);
  const madeS = t0 + barS;
  const found = firstFrom(releases, madeS);
  if (found === undefined || found.timeS >= madeS + HORIZON_BARS * barS) return null;
  return { kind: found.kind, in_min: (found.timeS - madeS) / MINUTE_S };
}

/** Windows at each bar within `minutes` before a release. */
export function windowsBefore(releases: readonly TimedRelease[], minutes: number): WindowCut {
  return (file, span) => {
    const barS = barSecondsOf(file.timeframe);
    return windowsWhere(file, span, (t0) => {
      const found = firstFrom(releases, t0 + barS);
      return found !== undefined && found.timeS - (t0 + barS) <= minutes * MINUTE_S;
    });
  };
}

/** The first at or after a moment. */
function firstFrom(releases: readonly TimedRelease[], timeS: number): TimedRelease | undefined {
  let [low, high] = [0, releases.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((releases[middle]?.timeS ?? 0) < timeS) low = middle + 1;
    else high = middle;
  }
  return releases[low];
}
