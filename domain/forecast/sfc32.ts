/** Repeatable random numbers: sfc32 (Chris Doty-Humphrey). The same seeds give the same numbers on every machine. */

/** @param a @param b @param c  any 32-bit numbers @returns draws from [0, 1) */
export function sfc32(a: number, b: number, c: number): () => number {
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The generator's author discards the first rounds, so that close seeds diverge.
  for (let i = 0; i < 12; i++) next();
  return next;
}
