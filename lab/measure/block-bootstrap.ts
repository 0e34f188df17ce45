/** Intervals by resampling blocks of time of all symbols: windows overlap and markets move together. */
import { BLOCK_S, type BlockEstimate, blockEstimator } from '../../domain/record/figures/bootstrap.ts';
import { seededRandom } from '../../server/forecast/paths/random.ts';

export const BOOTSTRAP_DRAWS = 1000;

/** Sums of numbered quantities per block. */
export class BlockSums {
  readonly #width: number;
  readonly #blockS: number;
  readonly #blocks = new Map<number, Float64Array>();

  /** @param blockS  seconds of a block */
  constructor(width: number, blockS = BLOCK_S) {
    this.#width = width;
    this.#blockS = blockS;
  }

  add(timeS: number, column: number, value: number): void {
    const block = Math.floor(timeS / this.#blockS);
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

  /** See blockEstimator. The same blocks always give the same draws. */
  estimator(): (statistic: (sums: Float64Array) => number) => BlockEstimate {
    const blocks = [...this.#blocks.entries()].sort(([a], [b]) => a - b).map(([, sums]) => sums);
    return blockEstimator(blocks, { draws: BOOTSTRAP_DRAWS, random: seededRandom('block-bootstrap', 1) });
  }
}
