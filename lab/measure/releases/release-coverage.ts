/** How many closes each model's own 80 and 95% bands hold, by what is released between the forecast and the bar. */

import { BANDS, QUANTILE_LEVELS } from '../../../domain/forecast/quantiles.ts';
import type { TimedRelease } from '../../../domain/forecast/releases/widening.ts';
import { GREAT_RELEASES, isUsRelease } from '../../../domain/market/calendar/release-kinds.ts';
import { MINUTE_S } from '../../../domain/market/candle.ts';
import { barSecondsOf } from '../../../domain/market/timeframes.ts';
import type { Observation } from '../windows/score-windows.ts';
import { LEVEL_COUNT } from '../windows/window-forecast.ts';
import { releaseOf } from './releases.ts';

const BARS = [5, 10, 25, 50] as const;
const GROUPS = ['US CPI, jobs, Fed statement', 'other US releases', 'other releases', 'none'] as const;
type ReleaseGroup = (typeof GROUPS)[number];

interface Cell {
  windows: number;
  inside80: number;
  inside95: number;
}

export interface ReleaseCoverage {
  add(observation: Observation): void;
  /** By model, group and bar: windows, and shares inside in per cent. */
  table(): Record<string, Record<string, Record<string, unknown>>>;
}

export function releaseCoverage(releases: readonly TimedRelease[]): ReleaseCoverage {
  const cells = new Map<string, Map<ReleaseGroup, Map<number, Cell>>>();

  return {
    add({ window, models }) {
      const release = releaseOf(window, releases);
      for (const { model, forecast } of models) {
        for (const bar of BARS) {
          // The release counts for the bars that close after it.
          const isBefore = release !== null && release.in_min * MINUTE_S < bar * barSecondsOf(window.file.timeframe);
          const cell = cellOf(model.name, isBefore ? groupOf(release.kind) : 'none', bar);
          const change = window.future.change[bar - 1] ?? Number.NaN;
          cell.windows += 1;
          if (isInside(forecast.quantiles, bar, change, BANDS.p80)) cell.inside80 += 1;
          if (isInside(forecast.quantiles, bar, change, BANDS.p95)) cell.inside95 += 1;
        }
      }
    },
    table() {
      return Object.fromEntries(
        [...cells].map(([model, groups]) => [
          model,
          Object.fromEntries(
            GROUPS.flatMap((group) => {
              const bars = groups.get(group);
              return bars === undefined
                ? []
                : [
                    [
                      group,
                      Object.fromEntries(
                        [...bars].toSorted(([a], [b]) => a - b).map(([bar, cell]) => [`bar ${bar}`, sharesOf(cell)]),
                      ),
                    ],
                  ];
            }),
          ),
        ]),
      );
    },
  };

  function cellOf(model: string, group: ReleaseGroup, bar: number): Cell {
    const groups = cells.get(model) ?? new Map<ReleaseGroup, Map<number, Cell>>();
    cells.set(model, groups);
    const bars = groups.get(group) ?? new Map<number, Cell>();
    groups.set(group, bars);
    const cell = bars.get(bar) ?? { windows: 0, inside80: 0, inside95: 0 };
    bars.set(bar, cell);
    return cell;
  }
}

function groupOf(kind: TimedRelease['kind']): ReleaseGroup {
  if (GREAT_RELEASES.has(kind)) return 'US CPI, jobs, Fed statement';
  return isUsRelease(kind) ? 'other US releases' : 'other releases';
}

function isInside(
  quantiles: Float64Array,
  bar: number,
  change: number,
  band: { lower: number; upper: number },
): boolean {
  const at = (level: number): number =>
    quantiles[(bar - 1) * LEVEL_COUNT + QUANTILE_LEVELS.indexOf(level as (typeof QUANTILE_LEVELS)[number])] ??
    Number.NaN;
  return change >= at(band.lower) && change <= at(band.upper);
}

function sharesOf({ windows, inside80, inside95 }: Cell) {
  const share = (count: number) => Math.round((1000 * count) / windows) / 10;
  return { windows, inside80: share(inside80), inside95: share(inside95) };
}
