/** How often something is wrong. */
import fc from 'fast-check';

/** True in one case of `outOf`. */
export const rarely = (outOf: number) => fc.nat(outOf - 1).map((drawn) => drawn === 0);

/** Of ten values, how many are as they should be: a request that is wrong all over is refused at its first word. */
export const mood = fc.constantFrom(4, 8, 9, 10, 10);
