/** Compares drawn candles with real ones: each window's shown path and actual path, over the same scale. */
import type { Realism } from '../../domain/forecast/model-figures.ts';
import { type Candle, isWellFormed } from '../../domain/market/candle.ts';
import { targetOf, type Window } from './windows/windows.ts';

const ERROR_HORIZONS = [10, 50] as const;

/** Adds up shown paths window by window; call `figures` after at least one. */
export class RealismTally {
  readonly #drawn = new Side();
  readonly #real = new Side();
  #violations = 0;
  /** Absolute error of the shown close and of the last close, by ERROR_HORIZONS. */
  readonly #pathErrors = ERROR_HORIZONS.map(() => 0);
  readonly #walkErrors = ERROR_HORIZONS.map(() => 0);

  /** @param path  the 50 candles that a forecast of this window shows */
  add(window: Window, path: readonly Candle[]): void {
    const { lastClose, scale } = window.features;
    this.#violations += violationsOf(path, window);
    this.#drawn.add(path, lastClose, scale);
    this.#real.add(targetOf(window.file, window.index), lastClose, scale);
    for (const [i, h] of ERROR_HORIZONS.entries()) {
      const real = window.future.change[h - 1] ?? 0;
      const shown = Math.log((path[h - 1]?.close ?? Number.NaN) / lastClose);
      this.#pathErrors[i] = (this.#pathErrors[i] ?? 0) + Math.abs(real - shown) / scale;
      this.#walkErrors[i] = (this.#walkErrors[i] ?? 0) + Math.abs(real) / scale;
    }
  }

  /** Counts a path with a candle that breaks an invariant; its other figures are skipped. */
  addBroken(): void {
    this.#violations++;
  }

  figures(): Realism {
    const errorRatio = (i: number): number => rounded((this.#pathErrors[i] ?? 0) / (this.#walkErrors[i] ?? 0));
    return {
      candles: this.#drawn.returns.length,
      invariantViolations: this.#violations,
      roughnessRatio: rounded(this.#drawn.roughness / this.#real.roughness),
      rangeRatio: rounded(this.#drawn.range / this.#real.range),
      ksDistance: rounded(ksDistance(this.#drawn.returns, this.#real.returns)),
      autocorrelation: {
        drawn: rounded(this.#drawn.autocorrelation()),
        real: rounded(this.#real.autocorrelation()),
      },
      pathErrorRatio: { h10: errorRatio(0), h50: errorRatio(1) },
    };
  }
}

/** Scaled returns and ranges of many windows. */
class Side {
  readonly returns: number[] = [];
  roughness = 0;
  range = 0;
  /** Sums over pairs of neighbouring absolute returns x, y: count, x, y, xx, yy, xy. */
  readonly #pairs = new Float64Array(6);

  add(candles: readonly Candle[], lastClose: number, scale: number): void {
    let previousClose = lastClose;
    let previous: number | null = null;
    for (const candle of candles) {
      const scaled = Math.log(candle.close / previousClose) / scale;
      const absolute = Math.abs(scaled);
      this.returns.push(scaled);
      this.roughness += absolute;
      this.range += Math.log(candle.high / candle.low) / scale;
      if (previous !== null) this.#addPair(previous, absolute);
      previous = absolute;
      previousClose = candle.close;
    }
  }

  #addPair(x: number, y: number): void {
    for (const [i, value] of [1, x, y, x * x, y * y, x * y].entries()) {
      this.#pairs[i] = (this.#pairs[i] ?? 0) + value;
    }
  }

  autocorrelation(): number {
    const [n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0] = this.#pairs;
    const covariance = xy / n - (x / n) * (y / n);
    return covariance / Math.sqrt((xx / n - (x / n) ** 2) * (yy / n - (y / n) ** 2));
  }
}

function violationsOf(path: readonly Candle[], window: Window): number {
  let previousClose = window.features.lastClose;
  let violations = 0;
  for (const [i, candle] of path.entries()) {
    const isInPlace = candle.open === previousClose && candle.time === window.t0 + window.features.barS * (i + 1);
    if (!isInPlace || !isWellFormed(candle)) violations++;
    previousClose = candle.close;
  }
  return violations;
}

/** Largest gap between the distribution functions of two samples (Kolmogorov and Smirnov). */
export function ksDistance(a: readonly number[], b: readonly number[]): number {
  const left = Float64Array.from(a).sort();
  const right = Float64Array.from(b).sort();
  let i = 0;
  let j = 0;
  let largest = 0;
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
