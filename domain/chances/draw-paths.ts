/** Draws thousands of possible next bars from a model's path tables: each path and its mirror image are a pair. */
import { CELLS, type CompiledTables, LAST_STEP, STEPS_PER_UNIT, TABLE_SIZE } from './compiled-tables.ts';
import { RandomBits } from './random-bits.ts';

/** 4,000 paths. */
export const CHANCE_PAIRS = 2000;

const CLUSTER_LOW = 0.05;
const CLUSTER_HIGH = 20;
/** Assumed return of the bar before the first: an ordinary one. */
const ORDINARY_ABS_RETURN = 0.7;
/** Parkinson: the variance of a driftless walk is its squared log range over 4 ln 2. */
const HALF_PARKINSON = 0.5 / (4 * Math.LN2);

/** One path of each pair, entry `pair * bars + bar`: the other has every sign turned, highs becoming lows. */
export interface DrawnPaths {
  pairs: number;
  bars: number;
  /** ln(close / start). */
  level: Float32Array;
  /** ln(highest high / start) and ln(lowest low / start) up to that bar. */
  highest: Float32Array;
  lowest: Float32Array;
}

export interface PathShape {
  tables: CompiledTables;
  /** Lengths of this symbol's bodies and wicks relative to those that the tables were fitted on. */
  lengths: { returns: number; wicks: number };
}

/** Two draws a bar: sign and size of its return; both wicks, and how they are shared. */
const DRAWS = 2;
const SIZE_CELLS = CELLS / 2 ** 31;
const HALF_CELLS = CELLS / 2 ** 16;

/**
 * @param variance  of each bar's return, the paths' average; its length is the number of bars
 * @param key  the same key gives the same paths
 */
export function drawnPaths(
  { tables, lengths }: PathShape,
  variance: Float64Array,
  pairs: number,
  key: string,
): DrawnPaths {
  const bars = variance.length;
  const { alpha, beta, absReturn, wicks, aheadShare, previousBins, returnBins, previousCount } = tables;
  const deviation = variance.map(Math.sqrt);
  const rest = 1 - alpha - beta;
  const random = new RandomBits(key);
  const bits = new Uint32Array(DRAWS * bars);
  const level = new Float32Array(pairs * bars);
  const highest = new Float32Array(pairs * bars);
  const lowest = new Float32Array(pairs * bars);
  for (let pair = 0; pair < pairs; pair++) {
    random.fill(bits);
    let cluster = 1;
    let close = 0;
    let high = 0;
    let low = 0;
    let previousBin = binOf(previousBins, ORDINARY_ABS_RETURN);
    for (let bar = 0; bar < bars; bar++) {
      const first = bits[DRAWS * bar] ?? 0;
      const second = bits[DRAWS * bar + 1] ?? 0;
      // Without branches: the processor cannot guess a sign.
      const sign = 1 - 2 * (first & 1);
      const size = valueAt(absReturn, previousBin, (first >>> 1) * SIZE_CELLS);
      const bin = binOf(returnBins, size);
      const wick = lengths.wicks * valueAt(wicks, bin * previousCount + previousBin, (second >>> 16) * HALF_CELLS);
      const share = valueAt(aheadShare, bin, (second & 0xffff) * HALF_CELLS);
      const volatility = (deviation[bar] ?? 0) * Math.sqrt(cluster);
      const body = size * lengths.returns;
      const next = close + sign * body * volatility;
      const wicksBoth = wick * volatility;
      const upper = wicksBoth * (0.5 + sign * (share - 0.5));
      high = Math.max(high, close + upper, next + upper);
      low = Math.min(low, close - (wicksBoth - upper), next - (wicksBoth - upper));
      close = next;
      const at = pair * bars + bar;
      level[at] = close;
      highest[at] = high;
      lowest[at] = low;
      const range = body + wick;
      const ratio = cluster * (0.5 * body * body + HALF_PARKINSON * range * range);
      cluster = Math.max(CLUSTER_LOW, Math.min(CLUSTER_HIGH, rest + alpha * ratio + beta * cluster));
      previousBin = binOf(previousBins, size);
    }
  }
  return { pairs, bars, level, highest, lowest };
}

function binOf(bins: Uint8Array, size: number): number {
  return bins[Math.min(LAST_STEP, size * STEPS_PER_UNIT) | 0] ?? 0;
}

/** @param place  the probability times CELLS */
function valueAt(grid: Float32Array, table: number, place: number): number {
  const cell = place | 0;
  const at = table * TABLE_SIZE + cell;
  const from = grid[at] ?? 0;
  return from + ((grid[at + 1] ?? 0) - from) * (place - cell);
}
