/**
 * What bands hold with and without the calendar after releases that their table was not fitted on. The networks have
 * seen these months; what a release does they were never told.
 */
import type { Interval, ReleaseFigures } from '../../../domain/forecast/model-figures.ts';
import { BANDS } from '../../../domain/forecast/quantiles.ts';
import type { ReleaseTable } from '../../../domain/forecast/releases/release-table.ts';
import { releasesWithin, type TimedRelease, varianceFactors } from '../../../domain/forecast/releases/widening.ts';
import { GREAT_RELEASES, isUsRelease } from '../../../domain/market/calendar/release-kinds.ts';
import { barSecondsOf } from '../../../domain/market/timeframes.ts';
import { blockEstimator } from '../../../domain/record/figures/bootstrap.ts';
import { crpsOf } from '../../../domain/record/scoring/crps.ts';
import { UPPER_LEVELS } from '../../../server/forecast/models/manifest.ts';
import { type VolatilityForecast, widenedVolatility } from '../../../server/forecast/network/network-forecast.ts';
import { seededRandom } from '../../../server/forecast/paths/random.ts';
import { BOOTSTRAP_DRAWS } from '../block-bootstrap.ts';
import type { CandleFile } from '../candle-files.ts';
import type { MeasuredNetwork } from '../windows/score-windows.ts';
import { type Window, windowsWhere } from '../windows/windows.ts';
import { releaseOf } from './releases.ts';
import { forecastsOf, seenSegments } from './seen-windows.ts';

export const RELEASE_GROUPS = ['great', 'other'] as const;
type ReleaseGroup = (typeof RELEASE_GROUPS)[number];
const BARS = [2, 5, 10, 25, 50] as const;
const [AT_80, AT_95] = [UPPER_LEVELS.indexOf(BANDS.p80.upper), UPPER_LEVELS.indexOf(BANDS.p95.upper)];

/** Sums of one release at one bar. */
const [WINDOWS, BLIND_80, KNOWN_80, BLIND_95, KNOWN_95, BLIND_CRPS, KNOWN_CRPS] = [0, 1, 2, 3, 4, 5, 6];
const WIDTH = 7;

/**
 * @param files  of one timeframe
 * @param tableWithout  fitted without what was released at that moment
 * @returns by group and bar; nothing without windows before a release
 */
export async function leftOutFigures(
  network: Pick<MeasuredNetwork, 'run'>,
  files: readonly CandleFile[],
  all: readonly TimedRelease[],
  tableWithout: (releaseS: number) => ReleaseTable,
): Promise<ReleaseFigures> {
  const releases = all.filter(({ kind }) => isUsRelease(kind));
  const tables = new Map<number, ReleaseTable>();
  const sums = new Map<string, Float64Array>();
  for (const file of files) {
    const barS = barSecondsOf(file.timeframe);
    for await (const { window, volatility } of forecastsOf(network, windowsBefore(file, releases))) {
      const { t0 } = window;
      const release = judgedRelease(releases, t0, barS);
      if (release === null) continue;
      const table = tables.get(release.timeS) ?? tableWithout(release.timeS);
      tables.set(release.timeS, table);
      const factors = varianceFactors(releases, { t0, barS, assetClass: file.assetClass }, table);
      const known = widenedVolatility(volatility, factors ?? undefined);
      for (const bar of BARS.filter((one) => release.timeS < t0 + (1 + one) * barS))
        add(sumsOf(sums, `${groupOf(release)} ${bar} ${release.timeS}`), window, bar, { blind: volatility, known });
    }
  }
  return RELEASE_GROUPS.flatMap((group) =>
    BARS.flatMap((bar) => {
      const own = [...sums].filter(([key]) => key.startsWith(`${group} ${bar} `)).map(([, one]) => one);
      return own.length === 0 ? [] : [rowOf(group, bar, own)];
    }),
  );
}

/** Windows at every bar that have a release before their last bar closes. */
function* windowsBefore(file: CandleFile, releases: readonly TimedRelease[]): Generator<Window> {
  for (const segment of seenSegments(file))
    yield* windowsWhere(file, segment, (t0) => releaseOf({ t0, file }, releases) !== null);
}

/** A great one, if there is any: the others beside it would be judged by what it moves. */
function judgedRelease(releases: readonly TimedRelease[], t0: number, barS: number): TimedRelease | null {
  const within = releasesWithin(releases, { t0, barS });
  return within.find(({ kind }) => GREAT_RELEASES.has(kind)) ?? within[0] ?? null;
}

function groupOf({ kind }: TimedRelease): ReleaseGroup {
  return GREAT_RELEASES.has(kind) ? 'great' : 'other';
}

function sumsOf(sums: Map<string, Float64Array>, key: string): Float64Array {
  const own = sums.get(key) ?? new Float64Array(WIDTH);
  sums.set(key, own);
  return own;
}

function add(
  sums: Float64Array,
  window: Window,
  bar: number,
  { blind, known }: { blind: VolatilityForecast; known: VolatilityForecast },
): void {
  const change = window.future.change[bar - 1] ?? Number.NaN;
  const rowOfBar = ({ upperQuantiles }: VolatilityForecast): number[] => upperQuantiles[bar - 1] ?? [];
  const inside = (row: readonly number[], level: number) => Number(Math.abs(change) <= (row[level] ?? 0));
  const rows = [rowOfBar(blind), rowOfBar(known)] as const;
  // Calm and wild hours weigh alike.
  const unit = rows[0][AT_80] ?? Number.NaN;
  const crps = (row: readonly number[]) => crpsOf(change, [...row.map((q) => -q).reverse(), 0, ...row]) / unit;
  const values = [
    1,
    ...rows.map((row) => inside(row, AT_80)),
    ...rows.map((row) => inside(row, AT_95)),
    ...rows.map(crps),
  ];
  for (const [column, value] of values.entries()) sums[column] = (sums[column] ?? 0) + value;
}

/** Each release has the same weight, whatever the number of its windows, and is one draw of the intervals. */
function rowOf(group: ReleaseGroup, bar: number, ofReleases: readonly Float64Array[]): ReleaseFigures[number] {
  const means = ofReleases.map((sums) => sums.map((sum) => sum / (sums[WINDOWS] ?? 1)));
  const estimate = blockEstimator(means, { draws: BOOTSTRAP_DRAWS, random: seededRandom('left-out-releases', 1) });
  const percent = (statistic: (sums: Float64Array) => number): Interval => {
    const { value, low, high } = estimate(statistic);
    return [rounded(value), rounded(low), rounded(high)];
  };
  const share = (column: number) => percent((sums) => (100 * (sums[column] ?? 0)) / (sums[WINDOWS] ?? 1));
  return {
    group,
    bar,
    releases: means.length,
    blind: { within80: share(BLIND_80)[0], within95: share(BLIND_95)[0] },
    known: { within80: share(KNOWN_80), within95: share(KNOWN_95) },
    crpsGainPercent: percent((sums) => 100 * (1 - (sums[KNOWN_CRPS] ?? 0) / (sums[BLIND_CRPS] ?? 1))),
  };
}

function rounded(percent: number): number {
  return Math.round(10 * percent) / 10;
}
