/** Do drawn candles look like candles? The shown path of each window against what really followed it, both over the same scale. */

import type { Candle } from '#domain/market/candle.ts';
import { isWellFormed } from '#domain/market/candle.ts';
import { computeForecast } from '../../server/forecast/bobcat.ts';
import type { HarModel } from '../../server/forecast/model-file.ts';
import { lookbackOf, targetOf, type Window } from '../measure/windows.ts';

export interface Realism {
  candles: number;
  invariantViolations: number;
  /** Mean absolute one-minute return, drawn over real. */
  roughnessRatio: number;
  /** Mean ln(high / low), drawn over real. */
  rangeRatio: number;
  /** Largest gap between the two distribution functions of returns. */
  ksDistance: number;
  /** Correlation of one minute's absolute return with the next one's. */
  autocorrelation: { drawn: number; real: number };
  /** Mean absolute error of the shown close over that of the last close: the price of showing one plausible path. */
  pathErrorRatio: { h10: number; h50: number };
}

export function measureRealism(model: HarModel, modelVersion: string, windows: readonly Window[]): Realism {
  const drawn = new Side();
  const real = new Side();
  let violations = 0;
  const errors = { path10: 0, walk10: 0, path50: 0, walk50: 0 };
  for (const w of windows) {
    const { name, assetClass, tickSize } = w.file;
    const { path } = computeForecast(
      model,
      modelVersion,
      { sym: name, assetClass, tickSize },
      lookbackOf(w.file, w.index),
    );
    violations += violationsOf(path, w);
    drawn.add(path, w.features.lastClose, w.features.scale);
    real.add(targetOf(w.file, w.index), w.features.lastClose, w.features.scale);
    const error = (h: number): number =>
      Math.abs((w.future.change[h - 1] ?? 0) - Math.log((path[h - 1]?.close ?? 0) / w.features.lastClose));
    errors.path10 += error(10) / w.features.scale;
    errors.path50 += error(50) / w.features.scale;
    errors.walk10 += Math.abs(w.future.change[9] ?? 0) / w.features.scale;
    errors.walk50 += Math.abs(w.future.change[49] ?? 0) / w.features.scale;
  }
  return {
    candles: drawn.returns.length,
    invariantViolations: violations,
    roughnessRatio: rounded(drawn.roughness / real.roughness),
    rangeRatio: rounded(drawn.range / real.range),
    ksDistance: rounded(ksDistance(drawn.returns, real.returns)),
    autocorrelation: { drawn: rounded(drawn.autocorrelation()), real: rounded(real.autocorrelation()) },
    pathErrorRatio: { h10: rounded(errors.path10 / errors.walk10), h50: rounded(errors.path50 / errors.walk50) },
  };
}

/** Scaled returns and ranges of many windows. */
class Side {
  readonly returns: number[] = [];
  readonly pairs: [number, number][] = [];
  roughness = 0;
  range = 0;

  add(candles: readonly Candle[], lastClose: number, scale: number): void {
    let previousClose = lastClose;
    let previous: number | null = null;
    for (const candle of candles) {
      const scaled = Math.log(candle.close / previousClose) / scale;
      this.returns.push(scaled);
      this.roughness += Math.abs(scaled);
      this.range += Math.log(candle.high / candle.low) / scale;
      if (previous !== null) this.pairs.push([previous, Math.abs(scaled)]);
      previous = Math.abs(scaled);
      previousClose = candle.close;
    }
  }

  autocorrelation(): number {
    const n = this.pairs.length;
    let [x, y, xx, yy, xy] = [0, 0, 0, 0, 0];
    for (const [a, b] of this.pairs) {
      x += a / n;
      y += b / n;
      xx += (a * a) / n;
      yy += (b * b) / n;
      xy += (a * b) / n;
    }
    return (xy - x * y) / Math.sqrt((xx - x * x) * (yy - y * y));
  }
}

function violationsOf(path: readonly Candle[], w: Window): number {
  let previousClose = w.features.lastClose;
  let violations = 0;
  for (const [i, candle] of path.entries()) {
    const isSound = isWellFormed(candle) && candle.open === previousClose && candle.time === w.t0 + 60 * (i + 1);
    if (!isSound) violations++;
    previousClose = candle.close;
  }
  return violations;
}

function ksDistance(a: readonly number[], b: readonly number[]): number {
  const left = Float64Array.from(a).sort();
  const right = Float64Array.from(b).sort();
  let [i, j, largest] = [0, 0, 0];
  while (i < left.length && j < right.length) {
    const value = Math.min(left[i] ?? 0, right[j] ?? 0);
    while (i < left.length && (left[i] ?? 0) <= value) i++;
    while (j < right.length && (right[j] ?? 0) <= value) j++;
    largest = Math.max(largest, Math.abs(i / left.length - j / right.length));
  }
  return largest;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
