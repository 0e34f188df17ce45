/** What bands hold with and without the calendar, by bar. */
import { BANDS } from '../../../domain/forecast/quantiles.ts';
import { MINUTE_S } from '../../../domain/market/candle.ts';
import { crpsOf } from '../../../domain/record/scoring/crps.ts';
import { UPPER_LEVELS } from '../../../server/forecast/models/manifest.ts';
import type { LeftOut } from './release-fit.ts';

const BARS = [2, 5, 10, 25, 50] as const;
const [AT_80, AT_95] = [UPPER_LEVELS.indexOf(BANDS.p80.upper), UPPER_LEVELS.indexOf(BANDS.p95.upper)];

interface Held {
  inside80: number;
  inside95: number;
  /** Over the half width of the 80% band without the calendar. */
  crps: number;
}

export interface LeftOutRow {
  bar: number;
  releases: number;
  blind: Held;
  known: Held;
}

/** Each release has the same weight, whatever the number of its windows; it counts for the bars that close after it. */
export function leftOutRows(all: readonly LeftOut[]): LeftOutRow[] {
  return BARS.map((bar) => {
    const windows = all.filter(({ releaseS, window }) => releaseS < window.t0 + (1 + bar) * MINUTE_S);
    const ofReleases = [...Map.groupBy(windows, ({ releaseS }) => releaseS).values()];
    const heldBy = (which: 'blind' | 'known') =>
      meanOf(ofReleases.map((own) => meanOf(own.map((one) => heldAt(one, which, bar)))));
    return { bar, releases: ofReleases.length, blind: heldBy('blind'), known: heldBy('known') };
  });
}

function heldAt(one: LeftOut, which: 'blind' | 'known', bar: number): Held {
  const change = one.window.future.change[bar - 1] ?? Number.NaN;
  const upper = one[which].upperQuantiles[bar - 1] ?? [];
  const unit = one.blind.upperQuantiles[bar - 1]?.[AT_80] ?? Number.NaN;
  return {
    inside80: Number(Math.abs(change) <= (upper[AT_80] ?? 0)),
    inside95: Number(Math.abs(change) <= (upper[AT_95] ?? 0)),
    crps: crpsOf(change, [...upper.map((quantile) => -quantile).reverse(), 0, ...upper]) / unit,
  };
}

function meanOf(all: readonly Held[]): Held {
  const of = (key: keyof Held): number => all.reduce((sum, held) => sum + held[key], 0) / all.length;
  return { inside80: of('inside80'), inside95: of('inside95'), crps: of('crps') };
}
