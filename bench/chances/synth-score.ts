/**
 * The one-hour score of mode-network/synth-subnet, with separate code: how well simulated paths of 60
 * one-minute steps cover what the price did. Lower is better. Each term is the CRPS of an ensemble, in basis points:
 *
 * - changes over 1, 2, 5, 15 and 30 minutes, one after another without overlap
 * - the price after 60 minutes, over the last real price
 * - changes from the start to every fifth minute
 */

export const SYNTH_STEPS = 60;
const CHANGES = [1, 2, 5, 15, 30] as const;
const GAP_STEPS = 5;
const BP = 10_000;

export interface SimulatedPaths {
  count: number;
  /** Step by step: price of path p after s steps at `s * count + p`; step 0 is the start. */
  prices: Float64Array;
}

/** A term's name, and its sum. */
export type SynthTerms = ReadonlyMap<string, number>;

/**
 * @param real  61 prices, minute by minute; NaN for a missing one: terms that need it are left out
 * @throws Error for simulated prices that are not above 0, or another number of steps
 */
export function synthTerms({ count, prices }: SimulatedPaths, real: ArrayLike<number>): SynthTerms {
  if (real.length !== SYNTH_STEPS + 1 || prices.length !== count * real.length) throw new Error('60 steps are scored');
  if (!prices.every((price) => price > 0)) throw new Error('a simulated price is not above 0');
  const values = new Float64Array(count);
  const terms = new Map<string, number>();
  const changeScore = (from: number, to: number): number => {
    const actual = (at(real, to) - at(real, from)) / at(real, from);
    if (Number.isNaN(actual)) return 0;
    for (let p = 0; p < count; p++) {
      const start = at(prices, from * count + p);
      values[p] = ((at(prices, to * count + p) - start) / start) * BP;
    }
    return ensembleCrps(values, actual * BP);
  };
  for (const steps of CHANGES) {
    let sum = 0;
    for (let from = 0; from + steps <= SYNTH_STEPS; from += steps) sum += changeScore(from, from + steps);
    terms.set(`${steps} min`, sum);
  }
  terms.set('60 min', priceScore());
  for (let to = GAP_STEPS; to <= SYNTH_STEPS; to += GAP_STEPS) terms.set(`0 to ${to} min`, changeScore(0, to));
  return terms;

  function priceScore(): number {
    const last = at(real, SYNTH_STEPS);
    if (!(last > 0)) return 0;
    values.set(prices.subarray(SYNTH_STEPS * count));
    return (ensembleCrps(values, last) / last) * BP;
  }
}

/** The whole score. */
export function synthScore(paths: SimulatedPaths, real: ArrayLike<number>): number {
  return [...synthTerms(paths, real).values()].reduce((sum, term) => sum + term, 0);
}

/** Mean distance to `actual` less half the mean distance of all pairs; sorts `values` in place. */
export function ensembleCrps(values: Float64Array, actual: number): number {
  const count = values.length;
  values.sort();
  let distance = 0;
  let spread = 0;
  for (let i = 0; i < count; i++) {
    distance += Math.abs(at(values, i) - actual);
    spread += (2 * i + 1 - count) * at(values, i);
  }
  return distance / count - spread / count ** 2;
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? Number.NaN;
}
