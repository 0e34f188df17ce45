/**
 * How much more each minute around a release moved than the network expected, by kind. Releases are few, so that each
 * one counts once, whatever the number of coins that were recorded then; a great one counts by its root; and each kind
 * is drawn towards the mean of its group.
 */
import {
  COLUMN_COUNT,
  COLUMN_STARTS_MIN,
  END_MIN,
  FIRST_MIN,
  type ReleaseTable,
  releaseTableSchema,
} from '../../../domain/forecast/releases/release-table.ts';
import type { TimedRelease } from '../../../domain/forecast/releases/widening.ts';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { GREAT_RELEASES, isUsRelease, type ReleaseKind } from '../../../domain/market/calendar/release-kinds.ts';
import { MINUTE_S } from '../../../domain/market/candle.ts';
import type { VolatilityForecast } from '../../../server/forecast/network/network-forecast.ts';
import { releaseTableVersion } from '../../../server/forecast/releases/release-table-file.ts';
import type { CandleFile } from '../candle-files.ts';
import type { MeasuredNetwork } from '../windows/score-windows.ts';
import { type Window, windowsWhere } from '../windows/windows.ts';
import { forecastsOf, seenSegments } from './seen-windows.ts';

/** So many releases of the mean of its group join each kind's own. Chosen by leaving out one release at a time. */
const SHRINKAGE = 15;
const ROUNDED = 100;
/** Windows every so many minutes before a release, and elsewhere. */
const [NEAR_MINUTES, FAR_MINUTES] = [3, 29];

export interface FittedReleases {
  /** The table without its version. */
  content: { columnStartsMin: number[]; kinds: Partial<Record<ReleaseKind, number[]>> };
  /** Releases that each kind was fitted on. */
  events: Map<string, number>;
  /** Fitted without what was released at a moment. */
  tableWithout(releaseS: number): ReleaseTable;
}

/** |return| over the network's deviation, summed by column of one release. */
interface Event {
  kind: ReleaseKind;
  sums: Float64Array;
  counts: Float64Array;
}

export async function fitReleaseTable(
  network: Pick<MeasuredNetwork, 'run'>,
  files: readonly CandleFile[],
  all: readonly TimedRelease[],
): Promise<FittedReleases> {
  const releases = all.filter(({ kind }) => isUsRelease(kind));
  const events = new Map<number, Event>();
  const usual = { sum: 0, count: 0 };
  for (const file of files) {
    for await (const { window, volatility } of forecastsOf(network, windowsToFit(file, releases)))
      addWindow(window, ratiosOf(window, volatility));
  }

  function addWindow({ t0 }: Window, ratios: Float64Array): void {
    const madeS = t0 + MINUTE_S;
    const near = releases.filter(
      ({ timeS }) => timeS > madeS - END_MIN * MINUTE_S && timeS < madeS + (HORIZON_BARS - FIRST_MIN) * MINUTE_S,
    );
    for (const [bar, ratio] of ratios.entries()) {
      const after = near.map(({ timeS }) => bar - Math.floor((timeS - madeS) / MINUTE_S));
      if (!after.some((minutes) => minutes >= FIRST_MIN && minutes < END_MIN)) {
        usual.sum += ratio;
        usual.count += 1;
      }
      for (const [i, { timeS, kind }] of near.entries()) {
        const column = COLUMN_STARTS_MIN.findLastIndex((start) => (after[i] ?? 0) >= start);
        // The network has seen the effect of an earlier release.
        if (timeS < madeS || column < 0 || column >= COLUMN_COUNT) continue;
        const event = events.get(timeS) ?? {
          kind,
          sums: new Float64Array(COLUMN_COUNT),
          counts: new Float64Array(COLUMN_COUNT),
        };
        events.set(timeS, event);
        event.sums[column] = (event.sums[column] ?? 0) + ratio;
        event.counts[column] = (event.counts[column] ?? 0) + 1;
      }
    }
  }

  const fitted = (leftOutS: number | null) =>
    tableOf(
      [...events].filter(([timeS]) => timeS !== leftOutS).map(([, event]) => event),
      usual.sum / usual.count,
    );
  return {
    ...fitted(null),
    tableWithout: (releaseS) => {
      const { content } = fitted(releaseS);
      return releaseTableSchema.parse({ version: releaseTableVersion(content), ...content });
    },
  };
}

function tableOf(events: readonly Event[], usual: number): Omit<FittedReleases, 'tableWithout'> {
  const kinds = [...new Set(events.map(({ kind }) => kind))].sort();
  const rootsOf = (wanted: readonly ReleaseKind[], column: number): number[] =>
    events
      .filter(({ kind, counts }) => wanted.includes(kind) && (counts[column] ?? 0) > 0)
      .map(({ sums, counts }) => Math.sqrt((sums[column] ?? 0) / (counts[column] ?? 1) / usual));
  const factorOf = (kind: ReleaseKind, column: number): number => {
    const own = rootsOf([kind], column);
    const group = rootsOf(groupOf(kind, kinds), column);
    // Alone in its group: towards no effect.
    const prior = kind === 'fed-press-conference' ? 1 : mean(group) ** 2;
    const shrunk = (own.length * mean(own) ** 2 + SHRINKAGE * prior) / (own.length + SHRINKAGE);
    return Math.round(ROUNDED * Math.max(1, shrunk)) / ROUNDED;
  };
  return {
    content: {
      columnStartsMin: [...COLUMN_STARTS_MIN],
      kinds: Object.fromEntries(
        kinds.map((kind) => [kind, Array.from({ length: COLUMN_COUNT }, (_, column) => factorOf(kind, column))]),
      ),
    },
    events: new Map(kinds.map((kind) => [kind, events.filter((event) => event.kind === kind).length])),
  };
}

function groupOf(kind: ReleaseKind, kinds: readonly ReleaseKind[]): ReleaseKind[] {
  return kinds.filter(
    (other) => GREAT_RELEASES.has(other) === GREAT_RELEASES.has(kind) && other !== 'fed-press-conference',
  );
}

function* windowsToFit(file: CandleFile, releases: readonly TimedRelease[]): Generator<Window> {
  const isWanted = (t0: number): boolean => {
    const minute = t0 / MINUTE_S + 1;
    if (minute % FAR_MINUTES === 0) return true;
    const isNear = ({ timeS }: TimedRelease): boolean =>
      timeS >= minute * MINUTE_S && timeS < (minute + HORIZON_BARS) * MINUTE_S;
    return minute % NEAR_MINUTES === 0 && releases.some(isNear);
  };
  for (const segment of seenSegments(file)) yield* windowsWhere(file, segment, isWanted);
}

/** |return| over the network's deviation, by minute. */
function ratiosOf({ future }: Window, { minuteVariance }: VolatilityForecast): Float64Array {
  return future.returns.map((change, bar) => Math.abs(change) / Math.sqrt(minuteVariance[bar] ?? Number.NaN));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
