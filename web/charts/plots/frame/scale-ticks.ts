/** Steps that read well, for each power of ten. */
const STEPS = [1, 2, 2.5, 5, 10] as const;

/** Round numbers, evenly spaced, that enclose `min` to `max`. @param wanted  about how many gaps; at least 1 */
export function roundTicks(min: number, max: number, wanted: number): number[] {
  // Nearly no span: use one unit, so that the axis has two ends.
  const end = max - min > 1e-6 ? max : min + 1;
  const rough = (end - min) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const first = Math.floor(min / step + 1e-9);
  const last = Math.ceil(end / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Decimals needed to distinguish neighbouring ticks. */
export function tickDecimals(ticks: readonly number[]): number {
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  return [0, 1, 2, 3].find((digits) => Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) < 1e-6) ?? 3;
}
