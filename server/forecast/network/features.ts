/** A scale and a few logarithms relative to it, from the lookback alone. Fitting, serving and measuring use this. */
import { AppError } from '#domain/errors/app-error.ts';
import { LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { AssetClass } from '#domain/market/symbols.ts';

const HALF_LIFE_BARS = 60;
const DECAY = 0.5 ** (1 / HALF_LIFE_BARS);
/** A per-minute volatility below this comes from the tick size, not from the market. */
export const SCALE_FLOOR = 2e-5;
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
  /** s: per-minute volatility, square root of the EWMA (half-life 60) of blended variance, at least 2e-5. */
  scale: number;
  values: Float64Array;
  session: Float64Array;
}

/**
 * @param candles closed candles, oldest first; only the last 450 are read
 * @throws AppError `market/too-few-candles` below 120; `forecast/failed` with `details.reason` for an impossible candle
 * (not finite, not positive, prices out of order, off the minute, not rising in time)
 */
export function buildFeatures(candles: readonly Candle[], assetClass: AssetClass): Features {
  const lookback = candles.slice(-LOOKBACK_BARS);
  const bars = lookback.length;
  const last = lookback[bars - 1];
  if (last === undefined || bars < MIN_LOOKBACK_BARS) {
    throw new AppError('market/too-few-candles', { details: { bars, needed: MIN_LOOKBACK_BARS } });
  }
  requireSound(lookback);
  const series = minuteSeries(lookback);
  const scale = Math.max(SCALE_FLOOR, Math.sqrt(ewma(series.blended)));
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
  return { t0: last.time, lastClose: last.close, assetClass, bars, scale, values, session };
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
  if (!Number.isSafeInteger(c.time) || c.time < 0 || c.time % MINUTE_S !== 0) return 'time is no whole minute';
  if (c.time <= previousTime) return 'time does not rise';
  // Written so that NaN fails: every comparison with it is false.
  if (!(c.low > 0 && c.high < PRICE_LIMIT)) return 'price is not positive and finite';
  const isOrdered = c.low <= c.open && c.open <= c.high && c.low <= c.close && c.close <= c.high;
  return isOrdered ? null : 'low, open, close and high are out of order';
}

/** Exponentially weighted mean, half-life 60, newest last. */
export function ewma(values: Float64Array): number {
  let sum = 0;
  let weight = 0;
  for (const value of values) {
    sum = sum * DECAY + value;
    weight = weight * DECAY + 1;
  }
  return sum / weight;
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

/** Keeps the logarithm of a quiet stretch finite: a hundredth of the scale's variance. */
const QUIET_SHARE = 0.01;
const LOG_RATIO_LIMIT = 3;

/** Mean of the last `count` values, or of all where there are fewer. */
export function tailMean(values: Float64Array, count: number): number {
  const start = Math.max(0, values.length - count);
  let sum = 0;
  for (let i = start; i < values.length; i++) sum += values[i] ?? 0;
  return sum / (values.length - start);
}

/** ln of a volatility relative to the scale, clamped to +-3. */
export function logRatio(variance: number, scale: number): number {
  return limited(0.5 * Math.log(variance / (scale * scale) + QUIET_SHARE), LOG_RATIO_LIMIT);
}

export function limited(value: number, limit: number): number {
  return Math.max(-limit, Math.min(limit, value));
}

/** Parkinson: the variance of a driftless walk is its squared log range over 4 ln 2. */
const PARKINSON = 4 * Math.LN2;

export interface MinuteSeries {
  /** Log returns; close to close, or open to close after a gap and for the first candle. */
  returns: Float64Array;
  /** ln(high / low) squared, over 4 ln 2. */
  parkinson: Float64Array;
  /** Half squared return, half Parkinson: less noise than either. */
  blended: Float64Array;
  /** Index of the last candle that follows a gap, or -1. */
  lastGapIndex: number;
}

/** @param candles  well-formed, strictly rising in time */
export function minuteSeries(candles: readonly Candle[]): MinuteSeries {
  const count = candles.length;
  const returns = new Float64Array(count);
  const parkinson = new Float64Array(count);
  const blended = new Float64Array(count);
  let lastGapIndex = -1;
  let previous: Candle | undefined;
  for (let i = 0; i < count; i++) {
    const candle = candles[i];
    if (candle === undefined) break;
    const isGap = previous !== undefined && candle.time - previous.time !== MINUTE_S;
    if (isGap) lastGapIndex = i;
    const from = previous === undefined || isGap ? candle.open : previous.close;
    const logReturn = Math.log(candle.close / from);
    const logRange = Math.log(candle.high / candle.low);
    returns[i] = logReturn;
    parkinson[i] = (logRange * logRange) / PARKINSON;
    blended[i] = blendedVariance(logReturn, logRange);
    previous = candle;
  }
  return { returns, parkinson, blended, lastGapIndex };
}

export function blendedVariance(logReturn: number, logRange: number): number {
  return 0.5 * logReturn * logReturn + (0.5 * logRange * logRange) / PARKINSON;
}

const DAY_S = 86_400;
const HOUR_S = 3600;

/** Elapsed share of the day, 0 to 1: UTC for crypto, New York for the rest. */
function dayPhase(timeS: number, assetClass: AssetClass): number {
  const localS = assetClass === 'crypto' ? timeS : timeS + newYorkOffsetS(timeS);
  return (((localS % DAY_S) + DAY_S) % DAY_S) / DAY_S;
}

/** Elapsed share of the hour, 0 to 1. */
function hourPhase(timeS: number): number {
  return (timeS % HOUR_S) / HOUR_S;
}

/** Daylight saving from the second Sunday of March 07:00 UTC to the first Sunday of November 06:00 UTC. */
function newYorkOffsetS(timeS: number): number {
  const year = new Date(timeS * 1000).getUTCFullYear();
  const startS = sundayS(year, 2, 8) + 7 * HOUR_S;
  const endS = sundayS(year, 10, 1) + 6 * HOUR_S;
  return timeS >= startS && timeS < endS ? -4 * HOUR_S : -5 * HOUR_S;
}

/** Midnight UTC of the first Sunday on or after the given day. */
function sundayS(year: number, month: number, day: number): number {
  const first = new Date(Date.UTC(year, month, day));
  return first.getTime() / 1000 + ((7 - first.getUTCDay()) % 7) * DAY_S;
}

const SLOT_S = 300;
const SLOTS_A_DAY = DAY_S / SLOT_S;
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4;

/** 0 to 287, or 288 to 575 on a weekend: New York time, by which shares open and hourly news is published. */
export function calendarSlot(timeS: number): number {
  const localS = timeS + newYorkOffsetS(timeS);
  const day = Math.floor(localS / DAY_S);
  const weekday = (day + EPOCH_WEEKDAY) % 7;
  const slot = Math.floor((localS - day * DAY_S) / SLOT_S);
  return weekday === 0 || weekday === 6 ? SLOTS_A_DAY + slot : slot;
}

/** Elapsed share of the week since Sunday 00:00 UTC, 0 to 1. */
export function weekPhase(timeS: number): number {
  return ((timeS / DAY_S + EPOCH_WEEKDAY) % 7) / 7;
}
