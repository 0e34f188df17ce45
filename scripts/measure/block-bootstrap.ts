/** Intervals by resampling six-hour blocks common to all symbols: windows overlap and markets move together, so windows are not independent. */
import { seededRandom } from '../../server/forecast/random.ts';

const BLOCK_S = 6 * 3600;
const DRAWS = 400;

export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** Sums of named quantities per block. */
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

  /** Each statistic of the total sums, with the 2.5 and 97.5 % points over 400 resamplings. */
  estimates(statistics: readonly ((sums: Float64Array) => number)[]): Estimate[] {
    const blocks = [...this.#blocks.entries()].sort(([a], [b]) => a - b).map(([, sums]) => sums);
    const random = seededRandom('block-bootstrap', 1);
    const total = (pick: (i: number) => Float64Array | undefined): Float64Array => {
      const sums = new Float64Array(this.#width);
      for (let i = 0; i < blocks.length; i++) {
        const block = pick(i);
        for (let column = 0; column < this.#width; column++) {
          sums[column] = (sums[column] ?? 0) + (block?.[column] ?? 0);
        }
      }
      return sums;
    };
    const whole = total((i) => blocks[i]);
    const draws = Array.from({ length: DRAWS }, () => {
      const sums = total(() => blocks[Math.floor(random() * blocks.length)]);
      return statistics.map((statistic) => statistic(sums));
    });
    return statistics.map((statistic, i) => {
      const sorted = draws.map((draw) => draw[i] ?? Number.NaN).sort((a, b) => a - b);
      return {
        value: statistic(whole),
        low: sorted[Math.floor(0.025 * DRAWS)] ?? Number.NaN,
        high: sorted[Math.ceil(0.975 * DRAWS) - 1] ?? Number.NaN,
      };
    });
  }
}
