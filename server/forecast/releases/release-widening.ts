/** Which scheduled releases a forecast counts, and what they do to the variance of its bars. */
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import { releaseName } from '#domain/forecast/releases/release-names.ts';
import type { ReleaseTable } from '#domain/forecast/releases/release-table.ts';
import { type ForecastBars, isCounted, releasesWithin, varianceFactors } from '#domain/forecast/releases/widening.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { KnownReleases } from '../../market/calendar/release-calendar.ts';
import { releaseStore } from '../../market/calendar/release-store.ts';
import type { Database } from '../../platform/database/database.ts';

export interface Released extends Omit<ForecastReleases, 'factor'> {
  /** [50]; null: nothing is released. */
  varianceFactors: number[] | null;
}

/** @returns undefined for a market without a calendar (a replay shows the prices of another time), or if none is known */
export type ReleasesOf = (kind: MarketKind, bars: ForecastBars) => Promise<Released | undefined>;

/** Longer than a read of the database, shorter than a forecast may take. */
const TIMEOUT_MS = 1000;
/** The last bars of a forecast await a release that follows them. */
const BEYOND_S = 300;

/** A ReleaseCalendar, or what it was at a moment; null: nothing is known about it. */
interface ReadCalendar {
  between(fromS: number, toS: number, signal: AbortSignal): Promise<KnownReleases | null>;
}

/** As ReleasesOf, of a forecast that was issued at a moment, as the calendar was known then. */
export type ReleasesAt = (kind: MarketKind, bars: ForecastBars, issuedMs: number) => Promise<Released | undefined>;

export function releasesAsOf(database: Database, table: ReleaseTable): ReleasesAt {
  const stores = { live: releaseStore(database, 'live'), simulated: releaseStore(database, 'simulated') };
  return async (kind, bars, issuedMs) => {
    if (kind === 'replayed') return undefined;
    const between: ReadCalendar['between'] = (fromS, toS) => stores[kind].readAt(issuedMs, fromS, toS);
    return await releasesFrom({ between }, table)(kind, bars);
  };
}

export function releasesFrom(calendar: ReadCalendar, table: ReleaseTable): ReleasesOf {
  return async (kind, bars) => {
    if (kind === 'replayed') return undefined;
    const { t0, barS, assetClass } = bars;
    const madeS = t0 + barS;
    const known = await calendar.between(
      madeS,
      madeS + HORIZON_BARS * barS + BEYOND_S,
      AbortSignal.timeout(TIMEOUT_MS),
    );
    if (known === null) return undefined;
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
