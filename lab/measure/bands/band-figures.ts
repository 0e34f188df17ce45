/** The effect of a band correction on one stretch of forecasts: coverage of every week of it, CRPS, widths. */

import type { Timeframe } from '../../../domain/market/timeframes.ts';
import { type BandCorrection, correctedUpper } from '../../../domain/record/bands/band-correction.ts';
import { slotSecondsOf, UPPER_LEVELS } from '../../../domain/record/ledger/ledger.ts';
import { crpsOf } from '../../../domain/record/scoring/crps.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';
import { LEVEL_COUNT } from '../windows/window-forecast.ts';
import { type BandForecasts, SLOT_WIDTH } from './band-forecasts.ts';
import type { Ratios } from './band-rules.ts';

const [HOUR_S, DAY_S] = [3600, 86_400];
/** Slots of seven days of one-minute forecasts. */
export const WEEK_SLOTS = slotsOf(7 * DAY_S, '1min');
const [AT_80, AT_95] = [UPPER_LEVELS.indexOf(0.9), UPPER_LEVELS.indexOf(0.975)];
const MIDDLE = (LEVEL_COUNT - 1) / 2;

/** Forecasts of one model for one symbol without a gap of more than a day. */
export interface ForecastStretch {
  symbol: string;
  model: string;
  part: string;
  timeframe?: Timeframe;
  slots: Float64Array;
  actual: Float32Array;
  upper: Float32Array;
}

/** Coverage minus nominal, for one week at one bar and level. */
export interface WeekError {
  bar: number;
  level: 80 | 95;
  error: number;
}

export interface StretchFigures {
  weeks: WeekError[];
  /** The same over the whole stretch: bars and levels as in `weeks`. */
  whole: WeekError[];
  /** By scored bar, sums over the stretch. */
  crps: number[];
  /** Mean factor on the 80% band over bars and slots. */
  width: number;
  /** Mean absolute change of its logarithm within a day: how unsteady a band is. */
  dayChange: number;
}

export function stretchesOf(
  { slots, actual, upper }: BandForecasts,
  symbol: string,
  models: readonly string[],
  partAt: (slot: number) => string | null,
  timeframe: Timeframe = '1min',
): ForecastStretch[] {
  const leastSlots = slotsOf(8 * DAY_S, timeframe);
  const found: ForecastStretch[] = [];
  let from = 0;
  for (let i = 1; i <= slots.length; i++) {
    const part = partAt(slots[from] ?? 0);
    const isEnd =
      i === slots.length || (slots[i] ?? 0) - (slots[i - 1] ?? 0) > 86_400 || partAt(slots[i] ?? 0) !== part;
    if (!isEnd) continue;
    if (part !== null && i - from >= leastSlots) {
      const cut = <T extends Float32Array | Float64Array>(all: T, width: number): T =>
        all.subarray(from * width, i * width) as T;
      for (const [m, model] of models.entries()) {
        const own = upper[m] ?? new Float32Array();
        found.push({
          symbol,
          model,
          part,
          timeframe,
          slots: cut(slots, 1),
          actual: cut(actual, SCORED_BARS.length),
          upper: cut(own, SLOT_WIDTH),
        });
      }
    }
    from = i;
  }
  return found;
}

export function ratiosOf({ slots, actual, upper }: ForecastStretch): Ratios {
  const at = (level: number): Float64Array[] =>
    SCORED_BARS.map((_, bar) =>
      Float64Array.from(slots, (_slot, i) => {
        const width = upper[i * SLOT_WIDTH + bar * UPPER_LEVELS.length + level] ?? 0;
        const moved = Math.abs(actual[i * SCORED_BARS.length + bar] ?? 0);
        return width > 0 ? moved / width : moved > 0 ? 1e6 : 0;
      }),
    );
  return { p80: at(AT_80), p95: at(AT_95) };
}

export function figuresOf(stretch: ForecastStretch, ratios: Ratios, shown: readonly BandCorrection[]): StretchFigures {
  const { timeframe = '1min' } = stretch;
  const hits = SCORED_BARS.flatMap((bar, b) => [
    { bar, level: 80 as const, inside: insideOf(ratios.p80[b], (i) => shown[i]?.p80[b] ?? 1) },
    { bar, level: 95 as const, inside: insideOf(ratios.p95[b], (i) => shown[i]?.p95[b] ?? 1) },
  ]);
  const weeks = hits.flatMap((one) => weekErrors(one, timeframe));
  const whole = hits.map(({ bar, level, inside }) => ({ bar, level, error: mean(inside) - level / 100 }));
  const daySlots = slotsOf(DAY_S, timeframe);
  const factors = shown.map(({ p80 }) => p80);
  const width = mean(factors.map(mean));
  const dayChange = mean(
    factors.slice(daySlots).map((now, i) => mean(now.map((f, b) => Math.abs(Math.log(f / (factors[i]?.[b] ?? f)))))),
  );
  return { weeks, whole, crps: SCORED_BARS.map((_, b) => crpsSum(stretch, b, shown)), width, dayChange };
}

interface Hits extends Omit<WeekError, 'error'> {
  /** By slot: 1 inside, 0 outside. */
  inside: readonly number[];
}

/** Weeks begin an hour apart. */
function weekErrors({ bar, level, inside }: Hits, timeframe: Timeframe): WeekError[] {
  const [weekSlots, step] = [slotsOf(7 * DAY_S, timeframe), slotsOf(HOUR_S, timeframe)];
  const errors: WeekError[] = [];
  let sum = 0;
  for (const [i, flag] of inside.entries()) {
    sum += flag - (inside[i - weekSlots] ?? 0);
    if (i + 1 >= weekSlots && (i + 1 - weekSlots) % step === 0)
      errors.push({ bar, level, error: sum / weekSlots - level / 100 });
  }
  return errors;
}

function insideOf(ratios: Float64Array | undefined, factorAt: (i: number) => number): number[] {
  return Array.from(ratios ?? [], (ratio, i) => (ratio <= factorAt(i) ? 1 : 0));
}

function slotsOf(seconds: number, timeframe: Timeframe): number {
  return seconds / slotSecondsOf(timeframe);
}

function crpsSum({ slots, actual, upper }: ForecastStretch, bar: number, shown: readonly BandCorrection[]): number {
  const quantiles = new Float64Array(LEVEL_COUNT);
  let sum = 0;
  for (let i = 0; i < slots.length; i++) {
    const from = i * SLOT_WIDTH + bar * UPPER_LEVELS.length;
    const row = Array.from(upper.subarray(from, from + UPPER_LEVELS.length));
    const factors = { p80: shown[i]?.p80[bar] ?? 1, p95: shown[i]?.p95[bar] ?? 1 };
    for (const [level, quantile] of correctedUpper(UPPER_LEVELS, row, factors).entries()) {
      quantiles[MIDDLE + 1 + level] = quantile;
      quantiles[MIDDLE - 1 - level] = -quantile;
    }
    sum += crpsOf(actual[i * SCORED_BARS.length + bar] ?? 0, quantiles, 0);
  }
  return sum;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
