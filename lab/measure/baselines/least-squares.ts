/** A little ridge keeps an empty column at 0; more shrinks estimates. */
export const TRACE_RIDGE = 1e-6;

export interface Equation {
  x: Float64Array;
  y: number;
  weight: number;
}

/** Coefficients of least weighted squared error. Without `isFree` a column stays 0; `ridge` is per unit of weight. */
export function leastSquares(
  equations: Iterable<Equation>,
  size: number,
  options: { isFree?: ((column: number) => boolean) | undefined; ridge?: number } = {},
): number[] {
  const { isFree, ridge = TRACE_RIDGE } = options;
  const free = Array.from({ length: size }, (_, i) => i).filter((i) => isFree?.(i) ?? true);
  const n = free.length;
  const gram = new Float64Array(n * n);
  const right = new Float64Array(n);
  let total = 0;
  for (const { x, y, weight } of equations) {
    total += weight;
    for (let i = 0; i < n; i++) {
      const xi = weight * (x[free[i] ?? 0] ?? 0);
      right[i] = (right[i] ?? 0) + xi * y;
      for (let j = 0; j <= i; j++) gram[i * n + j] = (gram[i * n + j] ?? 0) + xi * (x[free[j] ?? 0] ?? 0);
    }
  }
  for (let i = 0; i < n; i++) gram[i * n + i] = (gram[i * n + i] ?? 0) + ridge * total;
  const solution = solveCholesky(gram, right, n);
  const coefficients = new Array<number>(size).fill(0);
  free.forEach((column, i) => {
    coefficients[column] = solution[i] ?? 0;
  });
  return coefficients;
}

/** Lower triangle of a positive definite matrix, in place. */
function solveCholesky(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const at = (i: number, j: number): number => a[i * n + j] ?? 0;
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      let sum = at(i, j);
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k);
      if (i === j && sum <= 0) throw new Error('the normal equations are not positive definite');
      a[i * n + j] = i === j ? Math.sqrt(sum) : sum / at(j, j);
    }
  }
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] = (x[i] ?? 0) - at(i, k) * (x[k] ?? 0);
    x[i] = (x[i] ?? 0) / at(i, i);
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] = (x[i] ?? 0) - at(k, i) * (x[k] ?? 0);
    x[i] = (x[i] ?? 0) / at(i, i);
  }
  return x;
}
