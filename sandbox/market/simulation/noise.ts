/** Random access randomness: the n-th number of a named stream, without drawing the ones before it. */

/** A 32-bit name for a stream, from any text. */
export function streamOf(...names: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const char of names.join('\u0000')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return mix(hash);
}

/** Uniform in (0, 1), never 0 or 1. */
export function uniformAt(stream: number, index: number): number {
  const low = index >>> 0;
  const high = Math.floor(index / 0x1_0000_0000) >>> 0;
  const hash = mix(mix(stream ^ Math.imul(low, 0x9e3779b1)) ^ Math.imul(high + 1, 0x85ebca77) ^ low);
  return (hash + 0.5) / 0x1_0000_0000;
}

/** Standard normal, by Box and Muller. */
export function gaussianAt(stream: number, index: number): number {
  const radius = Math.sqrt(-2 * Math.log(uniformAt(stream, index)));
  return radius * Math.cos(2 * Math.PI * uniformAt(stream ^ 0x5bd1e995, index));
}

/** Standard normal at every `x`, smooth over about `scale`: blends lattice neighbours so that the variance stays 1. */
export function smoothGaussianAt(stream: number, x: number, scale: number): number {
  const cell = Math.floor(x / scale);
  const f = x / scale - cell;
  const weight = f * f * (3 - 2 * f);
  const blend = (1 - weight) * gaussianAt(stream, cell) + weight * gaussianAt(stream, cell + 1);
  return blend / Math.hypot(1 - weight, weight);
}

function mix(value: number): number {
  let h = value >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
