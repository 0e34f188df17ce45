/**
 * A network's inputs: the lookback bar by bar, some statistics of it, and the calendar of the bars ahead, relative to
 * the lookback's own scale. Names that count minutes are of one-minute candles; a longer timeframe counts its bars. Serving and measuring call this code, training through
 * lab/training/export-windows.ts.
 */
import { HORIZON_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { AssetClass } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { calendarSlot, weekPhase } from './calendar-phase.ts';
import { buildFeatures, type Features, featureAt, HARMONIC_NAMES, SESSION_FEATURE_NAMES } from './features.ts';
import { clamp, logRatio, type MinuteSeries, minuteSeries, tailMean } from './minute-series.ts';

const RANGE_WINDOWS_BARS = [1, 2, 5, 15, 30, 60, 120, 240, 450] as const;
const ABSOLUTE_BARS = [5, 30, 240] as const;
const SIGNED_BARS = [1, 5, 15, 60, 240] as const;
const VOLUME_BARS = [1, 5, 15, 60] as const;
/** Spans of the share of minutes that close where they opened, which reveals coarse ticks. */
const STILL_BARS = [60, 450] as const;
const QUIET_ABSOLUTE = 0.001;
const SIGNED_LIMIT = 4;
const VOLUME_LIMIT = 6;
const MIN_VOLUME_SD = 1e-3;
/** Shifts ln s of an ordinary market near 0. */
const TYPICAL_LOG_SCALE = -7.5;

/** Order of `statics`; the registry compares it with the manifest. */
export const STATIC_NAMES = [
  ...RANGE_WINDOWS_BARS.map((bars) => `ln_rms_return_${bars}` as const),
  ...RANGE_WINDOWS_BARS.map((bars) => `ln_parkinson_${bars}` as const),
  ...ABSOLUTE_BARS.map((bars) => `ln_mean_abs_return_${bars}` as const),
  ...SIGNED_BARS.map((bars) => `return_${bars}` as const),
  ...VOLUME_BARS.map((bars) => `volume_z_${bars}` as const),
  ...STILL_BARS.map((bars) => `still_share_${bars}` as const),
  'ln_scale',
  ...HARMONIC_NAMES,
  'week_sin_1',
  'week_cos_1',
  'week_sin_2',
  'week_cos_2',
  'since_open_15',
  'since_open_60',
  'is_crypto',
  'is_equity',
  'is_metal',
  'present_share',
] as const;

/** Order within a minute of `minutes`. */
export const MINUTE_CHANNELS = [
  'asinh_return',
  'ln_range',
  'ln_upper_wick',
  'ln_lower_wick',
  'volume_z',
  'is_gap',
  'one',
] as const;

/** Order within a minute of `ahead`. */
export const AHEAD_CHANNELS = ['minute_of_hour', 'calendar_slot'] as const;

/** Possible inputs of a network, each a field below; its manifest lists those it reads. */
export const INPUT_NAMES = ['statics', 'minutes', 'ahead'] as const;
export type InputName = (typeof INPUT_NAMES)[number];

export interface ModelInputs {
  features: Features;
  /** [STATIC_NAMES] */
  statics: Float32Array;
  /** [450][MINUTE_CHANNELS], oldest first; missing minutes, at the front, get the mean of the others. */
  minutes: Float32Array;
  /** [50][AHEAD_CHANNELS]: whole numbers of the coming 50 minutes, known in advance. */
  ahead: Int32Array;
}

/**
 * @param candles closed, of the timeframe, oldest first; the last 450 are read, at least 120 needed
 * @throws AppError as buildFeatures
 */
export function buildModelInputs(
  candles: readonly Candle[],
  assetClass: AssetClass,
  timeframe: Timeframe = '1min',
): ModelInputs {
  const features = buildFeatures(candles, assetClass, timeframe);
  const lookback = candles.slice(-LOOKBACK_BARS);
  const series = minuteSeries(lookback, features.barS);
  const volume = volumeScores(lookback);
  return {
    features,
    statics: staticsOf(features, series, volume),
    minutes: minutesOf(lookback, series, volume, features),
    ahead: aheadOf(features),
  };
}

function staticsOf(features: Features, series: MinuteSeries, volume: Float64Array): Float32Array {
  const { scale, assetClass, t0 } = features;
  const squares = series.returns.map((r) => r * r);
  const absolute = series.returns.map(Math.abs);
  const still = series.returns.map((r) => (r === 0 ? 1 : 0));
  const week = 2 * Math.PI * weekPhase(t0);
  const named = (name: (typeof SESSION_FEATURE_NAMES)[number]): number =>
    features.session[SESSION_FEATURE_NAMES.indexOf(name)] ?? 0;
  const statics = [
    ...RANGE_WINDOWS_BARS.map((bars) => logRatio(tailMean(squares, bars), scale)),
    ...RANGE_WINDOWS_BARS.map((bars) => logRatio(tailMean(series.parkinson, bars), scale)),
    ...ABSOLUTE_BARS.map((bars) => Math.log(Math.max(QUIET_ABSOLUTE, tailMean(absolute, bars) / scale))),
    ...SIGNED_BARS.map((bars) => {
      const count = Math.min(bars, series.returns.length);
      return clamp((tailMean(series.returns, bars) * Math.sqrt(count)) / scale, SIGNED_LIMIT);
    }),
    ...VOLUME_BARS.map((bars) => tailMean(volume, bars)),
    ...STILL_BARS.map((bars) => tailMean(still, bars)),
    Math.log(scale) - TYPICAL_LOG_SCALE,
    ...HARMONIC_NAMES.map((name) => featureAt(features, name)),
    Math.sin(week),
    Math.cos(week),
    Math.sin(2 * week),
    Math.cos(2 * week),
    named('since_open_15'),
    named('since_open_60'),
    assetClass === 'crypto' ? 1 : 0,
    assetClass === 'equity' ? 1 : 0,
    // An index and energy use the metal flag, because there was no data for them.
    assetClass === 'crypto' || assetClass === 'equity' ? 0 : 1,
    features.bars / LOOKBACK_BARS,
  ];
  return Float32Array.from(statics);
}

function minutesOf(
  lookback: readonly Candle[],
  series: MinuteSeries,
  volume: Float64Array,
  { scale, barS }: Features,
): Float32Array {
  const width = MINUTE_CHANNELS.length;
  const minutes = new Float32Array(LOOKBACK_BARS * width);
  const padding = LOOKBACK_BARS - lookback.length;
  let previousTime = lookback[0]?.time ?? 0;
  for (const [i, candle] of lookback.entries()) {
    const at = (padding + i) * width;
    minutes[at] = Math.asinh((series.returns[i] ?? 0) / scale);
    minutes[at + 1] = Math.log1p(Math.log(candle.high / candle.low) / scale);
    minutes[at + 2] = Math.log1p(Math.log(candle.high / Math.max(candle.open, candle.close)) / scale);
    minutes[at + 3] = Math.log1p(Math.log(Math.min(candle.open, candle.close) / candle.low) / scale);
    minutes[at + 4] = volume[i] ?? 0;
    minutes[at + 5] = i > 0 && candle.time - previousTime !== barS ? 1 : 0;
    minutes[at + 6] = 1;
    previousTime = candle.time;
  }
  fillFront(minutes, padding);
  return minutes;
}

/** Zeros would look like a market without moves and narrow the bands; an ordinary stretch does not. */
function fillFront(minutes: Float32Array, missingBars: number): void {
  const width = MINUTE_CHANNELS.length;
  for (let channel = 0; missingBars > 0 && channel < width; channel++) {
    let sum = 0;
    for (let i = missingBars; i < LOOKBACK_BARS; i++) sum += minutes[i * width + channel] ?? 0;
    const mean = sum / (LOOKBACK_BARS - missingBars);
    for (let i = 0; i < missingBars; i++) minutes[i * width + channel] = mean;
  }
}

function aheadOf({ t0, barS }: Features): Int32Array {
  const ahead = new Int32Array(HORIZON_BARS * AHEAD_CHANNELS.length);
  for (let h = 1; h <= HORIZON_BARS; h++) {
    const time = t0 + h * barS;
    const at = (h - 1) * AHEAD_CHANNELS.length;
    ahead[at] = Math.floor(time / MINUTE_S) % 60;
    ahead[at + 1] = calendarSlot(time);
  }
  return ahead;
}

/** ln(1 + volume) in standard deviations of the lookback; all 0 when the feed has no volume. */
function volumeScores(lookback: readonly Candle[]): Float64Array {
  const logs = Float64Array.from(lookback, (c) => Math.log1p(Math.max(0, c.volume ?? 0)));
  let mean = 0;
  for (const value of logs) mean += value / logs.length;
  let variance = 0;
  for (const value of logs) variance += (value - mean) ** 2 / logs.length;
  const sd = Math.sqrt(variance);
  if (!(sd > MIN_VOLUME_SD)) return logs.fill(0);
  return logs.map((value) => clamp((value - mean) / sd, VOLUME_LIMIT));
}
