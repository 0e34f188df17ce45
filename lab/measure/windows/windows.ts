/** Cuts windows: 450 bars as input, the next 50 as target. Targets never cross a gap, nor do crypto lookbacks. */
import { HORIZON_BARS, LOOKBACK_BARS } from '../../../domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '../../../domain/market/candle.ts';
import { barSecondsOf } from '../../../domain/market/timeframes.ts';
import { buildFeatures, type Features } from '../../../server/forecast/network/features.ts';
import { minuteSeries } from '../../../server/forecast/network/minute-series.ts';
import type { CandleFile } from '../candle-files.ts';

/** Dropped before every border of the splits: 50 target bars and one more. */
const PURGE_BARS = 51;
/** A lookback of shares or metals may include nights and weekends, not more. */
const MAX_GAP_S = 4 * 86_400;

export interface Window {
  file: CandleFile;
  t0: number;
  /** Index of the candle at t0 in the file. */
  index: number;
  features: Features;
  /** The 50 bars after t0. */
  future: Future;
}

export interface Future {
  returns: Float64Array;
  blended: Float64Array;
  /** ln(C[t+h] / C[t]), h = 1..50. */
  change: Float64Array;
  rv50: number;
  range50: number;
}

export interface TimeRange {
  startS: number;
  endS: number;
}

/** Windows of the file's timeframe whose t0 is a multiple of `strideMinutes` and whose target ends within the span, less the purge. */
export function windowsOf(file: CandleFile, span: TimeRange, strideMinutes: number): Generator<Window> {
  return windowsWhere(file, span, (t0) => (t0 / MINUTE_S) % strideMinutes === 0);
}

/** The same for any choice of t0 (seconds). */
export function* windowsWhere(file: CandleFile, span: TimeRange, isWanted: (t0: number) => boolean): Generator<Window> {
  const { candles, assetClass, timeframe } = file;
  const barS = barSecondsOf(timeframe);
  const maxStepS = assetClass === 'crypto' ? barS : MAX_GAP_S;
  let soundFrom = 0;
  const ahead = unbrokenAhead(candles, barS);
  for (const [index, candle] of candles.entries()) {
    const stepS = candle.time - (candles[index - 1]?.time ?? candle.time);
    if (stepS > maxStepS) soundFrom = index;
    const isInside = candle.time >= span.startS && candle.time + PURGE_BARS * barS <= span.endS;
    if (!isInside || !isWanted(candle.time)) continue;
    if (index - soundFrom + 1 < LOOKBACK_BARS || (ahead[index] ?? 0) < HORIZON_BARS) continue;
    const features = buildFeatures(lookbackOf(file, index), assetClass, timeframe);
    yield { file, t0: candle.time, index, features, future: futureOf(candles, index, barS) };
  }
}

export function lookbackOf(file: CandleFile, index: number): Candle[] {
  return file.candles.slice(index - LOOKBACK_BARS + 1, index + 1);
}

/** The 50 candles after t0. */
export function targetOf(file: CandleFile, index: number): Candle[] {
  return file.candles.slice(index + 1, index + 1 + HORIZON_BARS);
}

function unbrokenAhead(candles: readonly Candle[], barS: number): Int32Array {
  const ahead = new Int32Array(candles.length);
  for (let i = candles.length - 2; i >= 0; i--) {
    const stepS = (candles[i + 1]?.time ?? 0) - (candles[i]?.time ?? 0);
    ahead[i] = stepS === barS ? (ahead[i + 1] ?? 0) + 1 : 0;
  }
  return ahead;
}

function futureOf(candles: readonly Candle[], index: number, barS: number): Future {
  const seen = candles.slice(index, index + 1 + HORIZON_BARS);
  const series = minuteSeries(seen, barS);
  const returns = series.returns.slice(1);
  const change = new Float64Array(HORIZON_BARS);
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < HORIZON_BARS; i++) {
    sum += returns[i] ?? 0;
    squares += (returns[i] ?? 0) ** 2;
    change[i] = sum;
  }
  const highest = Math.max(...seen.slice(1).map((c) => c.high));
  const lowest = Math.min(...seen.slice(1).map((c) => c.low));
  const rv50 = Math.sqrt(squares);
  return { returns, blended: series.blended.slice(1), change, rv50, range50: Math.log(highest / lowest) };
}
