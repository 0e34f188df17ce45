/** Sums what each of many owners has, counting only up to a limit for each, without looking at every owner. */

export interface CappedSums {
  change(fromCount: number, toCount: number): void;
  /** @param most  how much of each owner counts */
  upTo(most: number): number;
}

/** @param cap  more of one owner never counts */
export function cappedSums(cap: number): CappedSums {
  /** How many owners have at least the index plus one. */
  const owners = new Uint32Array(cap);
  return {
    change(fromCount, toCount) {
      const [low, high] = [Math.min(fromCount, toCount), Math.min(cap, Math.max(fromCount, toCount))];
      for (let i = low; i < high; i++) owners[i] = (owners[i] ?? 0) + (toCount > fromCount ? 1 : -1);
    },
    upTo(most) {
      let sum = 0;
      for (let i = 0; i < Math.min(most, cap); i++) sum += owners[i] ?? 0;
      return sum;
    },
  };
}
