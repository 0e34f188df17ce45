/** For tests that are not about sealed records. */
import type { Reveal } from '../reveal.ts';

/** Later than any date. */
const NEVER_REACHED = 8.64e15;

export const everythingRevealed: Reveal = () => ({ endS: NEVER_REACHED, issuedEndMs: NEVER_REACHED });
