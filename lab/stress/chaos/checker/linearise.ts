/**
 * Searches an order of calls in which each takes effect at one moment between its start and its answer, and every answer
 * fits the state at that moment (Wing and Gong's search with Lowe's memory of visited states). A call with an unknown
 * outcome may take effect at any moment after its start, or never.
 */

/** @param S  the state; @param C  a call with its answer */
export interface Model<S, C> {
  initial: S;
  /** The states after a call, if its answer is possible in this state; several if it may have done different things. */
  step(state: S, call: C): readonly S[];
  /** Whether a call never changes the state, whatever it is. */
  isReading(call: C): boolean;
  /** Equal for equal states. */
  keyOf(state: S): string;
}

export interface Timed {
  invokedMs: number;
  /** Infinity for an unknown outcome. */
  returnedMs: number;
}

/** A history is judged within so many states: more would mean a model that is too loose to find anything. */
const MAX_STATES = 2_000_000;

/**
 * @returns null if there is such an order; otherwise the longest part of one that was found, and the calls that no state
 * reached by it allows
 * @throws Error if the search exceeds its limit
 */
export function findContradiction<S, C extends Timed>(
  calls: readonly C[],
  model: Model<S, C>,
): { fits: readonly C[]; impossible: readonly C[] } | null {
  const sorted = [...calls].sort((a, b) => a.invokedMs - b.invokedMs);
  const isDefinite = sorted.map(({ returnedMs }) => Number.isFinite(returnedMs));
  const visited = new Set<string>();
  const done = sorted.map(() => false);
  const order: C[] = [];
  let longest: { fits: readonly C[]; impossible: readonly C[] } = { fits: [], impossible: sorted };

  function search(state: S): boolean {
    const key = `${done.map((isDone) => (isDone ? '1' : '0')).join('')} ${model.keyOf(state)}`;
    if (visited.has(key)) return false;
    visited.add(key);
    if (visited.size > MAX_STATES) throw new Error(`the search for an order of ${calls.length} calls is too large`);
    const open = sorted.flatMap((call, at) => (done[at] === true ? [] : [{ call, at }]));
    if (open.every(({ at }) => isDefinite[at] !== true)) return true;
    // Anything that starts after another call's answer must come after that call.
    const endMs = Math.min(...open.map(({ call }) => call.returnedMs));
    const next = open.filter(({ call }) => call.invokedMs <= endMs);
    // A reading that fits may as well come now: no later place for it allows more.
    const reading = next.find(({ call }) => model.isReading(call) && model.step(state, call).length > 0);
    for (const { call, at } of reading === undefined ? next : [reading]) {
      for (const after of model.step(state, call)) {
        done[at] = true;
        order.push(call);
        if (search(after)) return true;
        order.pop();
        done[at] = false;
      }
    }
    if (order.length > longest.fits.length || longest.fits.length === 0)
      longest = {
        fits: [...order],
        impossible: next.filter(({ at }) => isDefinite[at] === true).map(({ call }) => call),
      };
    return false;
  }

  return search(model.initial) ? null : longest;
}
