import { QUANTILE_LEVELS } from '../../forecast/quantiles.ts';

/** Twice the mean pinball loss over the 25 levels, in the unit of `y`. @param quantiles  rising, from index `from` */
export function crpsOf(y: number, quantiles: ArrayLike<number>, from = 0): number {
  const count = QUANTILE_LEVELS.length;
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const level = QUANTILE_LEVELS[i] ?? 0;
    const error = y - (quantiles[from + i] ?? Number.NaN);
    sum += Math.max(level * error, (level - 1) * error);
  }
  return (2 * sum) / count;
}
