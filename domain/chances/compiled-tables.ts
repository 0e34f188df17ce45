/**
 * A model's path tables as evenly spaced grids, read by one multiplication instead of a search. The shipped tables'
 * knots are whole thousandths, so the grid gives the same values.
 */

/** The part of a model's paths.json that paths are drawn from; see server/forecast/models/manifest.ts. */
export interface PathTables {
  /** Clustering: g' = 1 - alpha - beta + alpha v/m + beta g. */
  alpha: number;
  beta: number;
  probabilities: readonly number[];
  /** [bin of the previous |return|] -> |return| over its volatility. */
  absReturn: readonly (readonly number[])[];
  returnEdges: readonly number[];
  previousEdges: readonly number[];
  /** [bin of |return|][bin of the previous one] -> both wicks together over volatility. */
  wicks: readonly (readonly (readonly number[])[])[];
  /** [bin of |return|] -> share of both wicks that lies ahead of the move. */
  aheadShare: readonly (readonly number[])[];
}

/** Cells of a grid; a table has one value more. */
export const CELLS = 1000;
export const TABLE_SIZE = CELLS + 1;

/** Edges of bins are rounded to this part of a volatility. */
export const STEPS_PER_UNIT = 256;
export const LAST_STEP = 16 * STEPS_PER_UNIT;

export interface CompiledTables {
  alpha: number;
  beta: number;
  /** Bin of a size in steps; sizes from LAST_STEP on are in the last bin. */
  returnBins: Uint8Array;
  previousBins: Uint8Array;
  previousCount: number;
  /** Tables one after another, TABLE_SIZE values each: by previous bin; by bin and previous bin; by bin. */
  absReturn: Float32Array;
  wicks: Float32Array;
  aheadShare: Float32Array;
}

/** To be called once a model: it takes about a millisecond. */
export function compiledTables(tables: PathTables): CompiledTables {
  const { alpha, beta, probabilities } = tables;
  return {
    alpha,
    beta,
    returnBins: binsOf(tables.returnEdges),
    previousBins: binsOf(tables.previousEdges),
    previousCount: tables.previousEdges.length + 1,
    absReturn: gridOf(probabilities, tables.absReturn),
    wicks: gridOf(probabilities, tables.wicks.flat()),
    aheadShare: gridOf(probabilities, tables.aheadShare),
  };
}

function binsOf(edges: readonly number[]): Uint8Array {
  const steps = edges.map((edge) => Math.round(edge * STEPS_PER_UNIT));
  return Uint8Array.from({ length: LAST_STEP + 1 }, (_, step) => steps.filter((edge) => step >= edge).length);
}

function gridOf(probabilities: readonly number[], tables: readonly (readonly number[])[]): Float32Array {
  const grid = new Float32Array(tables.length * TABLE_SIZE);
  for (const [index, values] of tables.entries()) {
    let knot = 0;
    for (let cell = 0; cell < TABLE_SIZE; cell++) {
      const p = cell / CELLS;
      while (knot < probabilities.length - 2 && (probabilities[knot + 1] ?? 1) <= p) knot++;
      const [from, to] = [probabilities[knot] ?? 0, probabilities[knot + 1] ?? 1];
      const [start, end] = [values[knot] ?? 0, values[knot + 1] ?? 0];
      grid[index * TABLE_SIZE + cell] = start + ((end - start) * (p - from)) / (to - from);
    }
  }
  return grid;
}
