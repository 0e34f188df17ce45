/** The rhythm within the hour: variance of each minute of the hour relative to the hour around it. */
import { MINUTE_S } from '#domain/market/candle.ts';
import { minuteSeries } from '../../server/forecast/minute-series.ts';
import type { CandleFile } from '../measure/candle-files.ts';
import { rounded } from '../measure/weighted-quantiles.ts';
import type { Span } from '../measure/windows.ts';

const HALF_WINDOW = 30;
/** One wild minute must not speak for all of its kind. */
const RATIO_LIMIT = 10;

/** 60 factors of mean 1, equal weight per file, shrunk towards 1 by as much as their own noise explains. */
export function fitMinuteFactors(spans: readonly { file: CandleFile; span: Span }[]): number[] {
  const perFile = spans.map(({ file, span }) => hourProfile(file, span)).filter((p) => p.count > 60 * 60);
  if (perFile.length === 0) return new Array<number>(60).fill(1);
  const mean = Array.from({ length: 60 }, (_, m) => average(perFile.map((p) => p.mean[m] ?? 1)));
  const noise = average(
    Array.from({ length: 60 }, (_, m) => average(perFile.map((p) => p.noise[m] ?? 0)) / perFile.length),
  );
  const level = average(mean);
  const spread = average(mean.map((value) => (value / level - 1) ** 2));
  const trust = Math.max(0, 1 - noise / spread);
  return mean.map((value) => rounded(1 + trust * (value / level - 1)));
}

function hourProfile(file: CandleFile, span: Span): { mean: number[]; noise: number[]; count: number } {
  const candles = file.candles.filter((c) => c.time >= span.startS && c.time < span.endS);
  const { blended } = minuteSeries(candles);
  const cumulative = new Float64Array(candles.length + 1);
  for (let i = 0; i < candles.length; i++) cumulative[i + 1] = (cumulative[i] ?? 0) + (blended[i] ?? 0);
  const sums = new Float64Array(60);
  const squares = new Float64Array(60);
  const counts = new Float64Array(60);
  for (let i = HALF_WINDOW; i < candles.length - HALF_WINDOW; i++) {
    const time = candles[i]?.time ?? 0;
    const isUnbroken =
      (candles[i + HALF_WINDOW]?.time ?? 0) - (candles[i - HALF_WINDOW]?.time ?? 0) === 2 * HALF_WINDOW * MINUTE_S;
    // Sixty minutes around this one: each minute of the hour counts once.
    const around = ((cumulative[i + HALF_WINDOW] ?? 0) - (cumulative[i - HALF_WINDOW] ?? 0)) / (2 * HALF_WINDOW);
    if (!isUnbroken || around <= 0) continue;
    const ratio = Math.min(RATIO_LIMIT, (blended[i] ?? 0) / around);
    const minute = Math.floor(time / MINUTE_S) % 60;
    sums[minute] = (sums[minute] ?? 0) + ratio;
    squares[minute] = (squares[minute] ?? 0) + ratio * ratio;
    counts[minute] = (counts[minute] ?? 0) + 1;
  }
  const mean = Array.from(sums, (sum, m) => sum / Math.max(1, counts[m] ?? 0));
  const noise = mean.map((value, m) => {
    const n = Math.max(1, counts[m] ?? 0);
    return ((squares[m] ?? 0) / n - value * value) / n;
  });
  return { mean, noise, count: counts.reduce((sum, n) => sum + n, 0) };
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
