/**
 * How much a run tests. `quick`: `npm test`, without the longest tests, and with contract tests on one database. `all`: `npm test -- all`, and every run
 * of named files or kinds. `night`: large random samples too. This environment variable has it; without it, all.
 */
export const TEST_SIZE = 'TEST_SIZE';

/** Environment variable with the kind of the running tests. */
export const TEST_KIND = 'TEST_KIND';

export const isNight = process.env[TEST_SIZE] === 'night';
export const isQuick = process.env[TEST_SIZE] === 'quick';

export function sampleSize(day: number, night: number): number {
  return isNight ? night : day;
}
