import fc from 'fast-check';

/** True in one of `outOf` cases. */
export const rarely = (outOf: number) => fc.nat(outOf - 1).map((drawn) => drawn === 0);

/** How many of ten values are valid: a request with only bad values would be refused at the first check. */
export const mood = fc.constantFrom(4, 8, 9, 10, 10);
