/** Moments of scheduled releases, for windows around them. The file is `time,currency,event`, epoch seconds. */
import { readFileSync } from 'node:fs';
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import { MINUTE_S } from '../../domain/market/candle.ts';
import { barSecondsOf } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import type { WindowCut } from './measured-symbols.ts';
import { RELEASE_KINDS, type ReleaseKind, releaseKindOf } from './release-kinds.ts';
import { type Window, windowsWhere } from './windows/windows.ts';

export interface Release {
  timeS: number;
  kind: ReleaseKind;
}

/** The first release of a window. */
export interface WindowRelease {
  kind: ReleaseKind;
  /** From the forecast to the release, minutes; 0: at the moment of the forecast. */
  in_min: number;
}

const HEADER = 'time,currency,event';
/** As seconds this is the year 5138; as milliseconds, 1973. */
const MILLISECONDS_FROM = 1e11;

/** One for each moment, in order: of several at once the kind that comes first in RELEASE_KINDS. @throws BadInput naming the line */
export function readReleases(file: string): Release[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadInput(`${file} can't be read`, { cause: error });
  }
  const [header, ...lines] = text.trimEnd().split(/\r?\n/);
  if (header !== HEADER) throw new BadInput(`${file}: line 1 is not the header ${HEADER}`);
  const kinds = new Map<number, ReleaseKind>();
  for (const [i, line] of lines.entries()) {
    // A title may hold a comma.
    const [, time = '', currency = '', title = ''] = /^(\d+),([A-Z]{3}),(.+)$/.exec(line) ?? [];
    const timeS = Number(time);
    if (time === '' || timeS >= MILLISECONDS_FROM)
      throw new BadInput(`${file}: line ${i + 2}: not '${HEADER}' in seconds`);
    const kind = releaseKindOf(currency, title);
    const known = kinds.get(timeS);
    if (known === undefined || RELEASE_KINDS.indexOf(kind) < RELEASE_KINDS.indexOf(known)) kinds.set(timeS, kind);
  }
  return [...kinds].map(([timeS, kind]) => ({ timeS, kind })).toSorted((a, b) => a.timeS - b.timeS);
}

/** The first release between the forecast, which is made when the bar at t0 closes, and its last bar's close; null for none. */
export function releaseOf(
  { t0, file: { timeframe } }: Pick<Window, 't0' | 'file'>,
  releases: readonly Release[],
): WindowRelease | null {
  const barS = barSecondsOf(timeframe);
  const madeS = t0 + barS;
  const found = firstFrom(releases, madeS);
  if (found === undefined || found.timeS >= madeS + HORIZON_BARS * barS) return null;
  return { kind: found.kind, in_min: (found.timeS - madeS) / MINUTE_S };
}

/** Windows at each bar within `minutes` before a release. */
export function windowsBefore(releases: readonly Release[], minutes: number): WindowCut {
  return (file, span) => {
    const barS = barSecondsOf(file.timeframe);
    return windowsWhere(file, span, (t0) => {
      const found = firstFrom(releases, t0 + barS);
      return found !== undefined && found.timeS - (t0 + barS) <= minutes * MINUTE_S;
    });
  };
}

/** The first at or after a moment. */
function firstFrom(releases: readonly Release[], timeS: number): Release | undefined {
  let [low, high] = [0, releases.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((releases[middle]?.timeS ?? 0) < timeS) low = middle + 1;
    else high = middle;
  }
  return releases[low];
}
