/** Values at the given probabilities (rising); weights need not sum to 1. */
export function weightedQuantiles(
  values: Float64Array,
  weights: Float64Array,
  probabilities: readonly number[],
): number[] {
  const order = Array.from(values.keys()).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const result: number[] = [];
  let passed = 0;
  let place = 0;
  for (const probability of probabilities) {
    const target = probability * total;
    while (place < order.length - 1 && passed + (weights[order[place] ?? 0] ?? 0) < target) {
      passed += weights[order[place] ?? 0] ?? 0;
      place++;
    }
    result.push(values[order[place] ?? 0] ?? Number.NaN);
  }
  return result;
}

/** Significant digits in shipped tables: enough for 0.1% of a band, few enough to read. */
export function rounded(value: number, digits = 4): number {
  if (Math.abs(value) < 1e-9) return 0;
  return Number(value.toPrecision(digits));
}
