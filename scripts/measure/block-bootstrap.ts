/** Intervals by resampling six-hour blocks common to all symbols: windows overlap and markets move together, so windows are not independent. */
import { seededRandom } from '../../server/forecast/random.ts';

const BLOCK_S = 6 * 3600;
export const BOOTSTRAP_DRAWS = 1000;

export interface Estimate {
  value: number;
  /** The 2.5 and 97.5 % points over the resamplings. */
  low: number;
  high: number;
}

/** Sums of numbered quantities per block. */
export class BlockSums {
  readonly #width: number;
  readonly #blocks = new Map<number, Float64Array>();

  constructor(width: number) {
    this.#width = width;
  }

  add(timeS: number, column: number, value: number): void {
    const block = Math.floor(timeS / BLOCK_S);
    let sums = this.#blocks.get(block);
    if (sums === undefined) {
      sums = new Float64Array(this.#width);
      this.#blocks.set(block, sums);
    }
    sums[column] = (sums[column] ?? 0) + value;
  }

  get blockCount(): number {
    return this.#blocks.size;
  }

  /**
   * Resamples once, then tells any statistic of the total sums with its interval: all figures of a table share the same
   * draws. The same blocks give the same draws, whoever asks.
   */
  estimator(): (statistic: (sums: Float64Array) => number) => Estimate {
    const blocks = [...this.#blocks.entries()].sort(([a], [b]) => a - b).map(([, sums]) => sums);
    const random = seededRandom('block-bootstrap', 1);
    const whole = this.#total(blocks);
    const draws = Array.from({ length: BOOTSTRAP_DRAWS }, () =>
      this.#total(blocks.map(() => blocks[Math.floor(random() * blocks.length)] ?? whole)),
    );
    return (statistic) => {
      const sorted = Float64Array.from(draws, statistic).sort();
      return {
        value: statistic(whole),
        low: sorted[Math.floor(0.025 * BOOTSTRAP_DRAWS)] ?? Number.NaN,
        high: sorted[Math.ceil(0.975 * BOOTSTRAP_DRAWS) - 1] ?? Number.NaN,
      };
    };
  }

  #total(blocks: readonly Float64Array[]): Float64Array {
    const total = new Float64Array(this.#width);
    for (const block of blocks) {
      for (let column = 0; column < this.#width; column++) total[column] = (total[column] ?? 0) + (block[column] ?? 0);
    }
    return total;
  }
}
