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

/** The same before it is known how far a bar moves: entry `pair * bars + bar`, in units of that bar's deviation. */
export interface PathSteps {
  pairs: number;
  bars: number;
  /** From one close to the next, and how far the bar reaches above and below the close before it. */
  step: Float32Array;
  up: Float32Array;
  down: Float32Array;
}

/** Two draws a bar: sign and size of its return; both wicks, and how they are shared. */
const DRAWS = 2;
const SIZE_CELLS = CELLS / 2 ** 31;
const HALF_CELLS = CELLS / 2 ** 16;

/**
 * What is random about the paths of a key. It takes milliseconds, and serves every moment of a forecast.
 * @param key  the same key gives the same paths
 */
export function pathSteps({ tables, lengths }: PathShape, bars: number, pairs: number, key: string): PathSteps {
  const { alpha, beta, absReturn, wicks, aheadShare, previousBins, returnBins, previousCount } = tables;
  const rest = 1 - alpha - beta;
  const random = new RandomBits(key);
  const bits = new Uint32Array(DRAWS * bars);
  const step = new Float32Array(pairs * bars);
  const up = new Float32Array(pairs * bars);
  const down = new Float32Array(pairs * bars);
  for (let pair = 0; pair < pairs; pair++) {
    random.fill(bits);
    let cluster = 1;
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
      const volatility = Math.sqrt(cluster);
      const body = size * lengths.returns;
      const move = sign * body * volatility;
      const wicksBoth = wick * volatility;
      const upper = wicksBoth * (0.5 + sign * (share - 0.5));
      const at = pair * bars + bar;
      step[at] = move;
      up[at] = Math.max(0, move) + upper;
      down[at] = Math.max(0, -move) + wicksBoth - upper;
      const range = body + wick;
      const ratio = cluster * (0.5 * body * body + HALF_PARKINSON * range * range);
      cluster = Math.max(CLUSTER_LOW, Math.min(CLUSTER_HIGH, rest + alpha * ratio + beta * cluster));
      previousBin = binOf(previousBins, size);
    }
  }
  return { pairs, bars, step, up, down };
}

/**
 * @param variance  of each bar's return, the paths' average; it may have fewer bars than the steps
 * @param into  paths of the same size that are no longer needed: they are overwritten
 */
export function scaledPaths(steps: PathSteps, variance: Float64Array, into: DrawnPaths | null = null): DrawnPaths {
  const { pairs, step, up, down } = steps;
  const bars = variance.length;
  const deviation = variance.map(Math.sqrt);
  const paths = into?.pairs === pairs && into.bars === bars ? into : emptyPaths(pairs, bars);
  const { level, highest, lowest } = paths;
  for (let pair = 0; pair < pairs; pair++) {
    const [from, to] = [pair * steps.bars, pair * bars];
    let close = 0;
    let high = 0;
    let low = 0;
    for (let bar = 0; bar < bars; bar++) {
      const scale = deviation[bar] ?? 0;
      high = Math.max(high, close + scale * (up[from + bar] ?? 0));
      low = Math.min(low, close - scale * (down[from + bar] ?? 0));
      close += scale * (step[from + bar] ?? 0);
      level[to + bar] = close;
      highest[to + bar] = high;
      lowest[to + bar] = low;
    }
  }
  return paths;
}

function emptyPaths(pairs: number, bars: number): DrawnPaths {
  const values = (): Float32Array => new Float32Array(pairs * bars);
  return { pairs, bars, level: values(), highest: values(), lowest: values() };
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
