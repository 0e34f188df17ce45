/** What makes a run slow on purpose, so that it finds tests that depend on the machine's pace. */
export const STRAINS = ['stalls', 'slow', 'beside'] as const;

/**
 * `stalls`: every process stops at random moments. `slow`: every process gets at most half a core. `beside`: a busy loop
 * per core runs beside the tests.
 */
export type Strain = (typeof STRAINS)[number];

/** Environment variable that is set during a run with a strain. */
export const STRAINED = 'KAT_TEST_STRAINED';
