/** Which scheduled releases a forecast counts, and what they do to the variance of its bars. */
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import { releaseName } from '#domain/forecast/releases/release-names.ts';
import type { ReleaseTable } from '#domain/forecast/releases/release-table.ts';
import { type ForecastBars, isCounted, releasesWithin, varianceFactors } from '#domain/forecast/releases/widening.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { ReleaseCalendar } from '../../market/calendar/release-calendar.ts';

export interface Released extends Omit<ForecastReleases, 'factor'> {
  /** [50]; null: nothing is released. */
  varianceFactors: number[] | null;
}

/** @returns undefined for a market without a calendar: a replay shows the prices of another time */
export type ReleasesOf = (kind: MarketKind, bars: ForecastBars) => Promise<Released | undefined>;

/** Longer than a read of the database, shorter than a forecast may take. */
const TIMEOUT_MS = 1000;
/** The last bars of a forecast await a release that follows them. */
const BEYOND_S = 300;

export function releasesFrom(calendar: Pick<ReleaseCalendar, 'between'>, table: ReleaseTable): ReleasesOf {
  return async (kind, bars) => {
    if (kind === 'replayed') return undefined;
    const { t0, barS, assetClass } = bars;
    const madeS = t0 + barS;
    const known = await calendar.between(
      madeS,
      madeS + HORIZON_BARS * barS + BEYOND_S,
      AbortSignal.timeout(TIMEOUT_MS),
    );
    const counted = known.releases.filter((release) => isCounted(table, release.kind, assetClass));
    return {
      list: releasesWithin(counted, bars).map(({ timeS, kind: released, title }) => ({
        atS: timeS,
        kind: released,
        title,
        name: releaseName(released, title),
      })),
      isComplete: known.isComplete,
      varianceFactors: varianceFactors(counted, bars, table),
    };
  };
}
