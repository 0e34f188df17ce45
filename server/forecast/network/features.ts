/** A scale and a few logarithms relative to it, from the lookback alone. Fitting, serving and measuring use this. */
import { AppError } from '#domain/errors/app-error.ts';
import { LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { AssetClass } from '#domain/market/symbols.ts';
import { barMinutesOf, barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import { dayPhase, hourPhase } from './calendar-phase.ts';
import { ewma, logRatio, type MinuteSeries, minuteSeries, tailMean } from './minute-series.ts';

/** A volatility of one minute below this comes from the tick size, not from the market. */
const SCALE_FLOOR = 2e-5;
const RETURN_BARS = [5, 15, 60, 240, 450] as const;
const RANGE_BARS = [5, 15, 60, 240] as const;
/** Leaves room below the limit of 1e15 for a candle's price. */
const PRICE_LIMIT = 1e12;

const DAY_HARMONIC_NAMES = ['day_sin_1', 'day_cos_1', 'day_sin_2', 'day_cos_2'] as const;
/** Day and hour phase of the last candle: one order for `values` and for a network's statics. */
export const HARMONIC_NAMES = [...DAY_HARMONIC_NAMES, 'hour_sin_1', 'hour_cos_1', 'hour_sin_2', 'hour_cos_2'] as const;

/** Order of `values`, which are the columns of the log-HAR baselines. */
export const FEATURE_NAMES = [
  'one',
  ...RETURN_BARS.map((bars) => `ln_rms_return_${bars}` as const),
  ...RANGE_BARS.map((bars) => `ln_parkinson_${bars}` as const),
  ...HARMONIC_NAMES,
] as const;

/** Order of `session`: features used only for markets with opening hours, in addition to `values`. */
export const SESSION_FEATURE_NAMES = ['one', ...DAY_HARMONIC_NAMES, 'since_open_15', 'since_open_60'] as const;

export interface Features {
  /** Opening second of the last candle. */
  t0: number;
  lastClose: number;
  assetClass: AssetClass;
  /** Candles available, 120 to 450: every mean covers only these. */
  bars: number;
  /** Seconds from one candle to the next. */
  barS: number;
  /** s: volatility of one bar, square root of the EWMA (half-life 60) of blended variance, at least `scaleFloorOf`. */
  scale: number;
  values: Float64Array;
  session: Float64Array;
}

/** The least scale of a timeframe: 2e-5 a minute. */
export function scaleFloorOf(timeframe: Timeframe): number {
  return SCALE_FLOOR * Math.sqrt(barMinutesOf(timeframe));
}

/**
 * @param candles closed candles of the timeframe, oldest first; only the last 450 are read
 * @throws AppError `market/too-few-candles` below 120; `forecast/failed` with `details.reason` for an impossible candle
 * (not finite, not positive, prices out of order, off the minute, not rising in time)
 */
export function buildFeatures(
  candles: readonly Candle[],
  assetClass: AssetClass,
  timeframe: Timeframe = '1min',
): Features {
  const lookback = candles.slice(-LOOKBACK_BARS);
  const bars = lookback.length;
  const last = lookback[bars - 1];
  if (last === undefined || bars < MIN_LOOKBACK_BARS) {
    throw new AppError('market/too-few-candles', { details: { bars, needed: MIN_LOOKBACK_BARS } });
  }
  requireSound(lookback);
  const barS = barSecondsOf(timeframe);
  const series = minuteSeries(lookback, barS);
  const scale = Math.max(scaleFloorOf(timeframe), Math.sqrt(ewma(series.blended)));
  const day = harmonics(dayPhase(last.time, assetClass));
  const hour = harmonics(hourPhase(last.time));
  const squares = series.returns.map((r) => r * r);
  const values = Float64Array.from([
    1,
    ...RETURN_BARS.map((count) => logRatio(tailMean(squares, count), scale)),
    ...RANGE_BARS.map((count) => logRatio(tailMean(series.parkinson, count), scale)),
    ...day,
    ...hour,
  ]);
  const session = Float64Array.from([1, ...day, ...sinceOpen(series, bars)]);
  return { t0: last.time, lastClose: last.close, assetClass, bars, barS, scale, values, session };
}

export function featureAt(features: Features, name: (typeof FEATURE_NAMES)[number]): number {
  return features.values[FEATURE_NAMES.indexOf(name)] ?? Number.NaN;
}

function requireSound(candles: readonly Candle[]): void {
  let previousTime = -1;
  for (const [index, c] of candles.entries()) {
    const fault = faultOf(c, previousTime);
    if (fault !== null) throw new AppError('forecast/failed', { details: { reason: fault, index } });
    previousTime = c.time;
  }
}

function faultOf(c: Candle, previousTime: number): string | null {
  if (!Number.isSafeInteger(c.time) || c.time < 0 || c.time % MINUTE_S !== 0) return "time isn't a whole minute";
  if (c.time <= previousTime) return 'time does not increase';
  // Written so that NaN fails: every comparison with it is false.
  if (!(c.low > 0 && c.high < PRICE_LIMIT)) return 'price is not positive and finite';
  const isOrdered = c.low <= c.open && c.open <= c.high && c.low <= c.close && c.close <= c.high;
  return isOrdered ? null : 'low, open, close and high are out of order';
}

function harmonics(phase: number): [number, number, number, number] {
  const angle = 2 * Math.PI * phase;
  return [Math.sin(angle), Math.cos(angle), Math.sin(2 * angle), Math.cos(2 * angle)];
}

/** Decaying memory of the last gap, which for a market with hours is its opening; 0 without a gap in the lookback. */
function sinceOpen(series: MinuteSeries, bars: number): [number, number] {
  if (series.lastGapIndex < 0) return [0, 0];
  const minutes = bars - series.lastGapIndex;
  return [Math.exp(-minutes / 15), Math.exp(-minutes / 60)];
}
