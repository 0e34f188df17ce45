/** Random lives of subscribers, more of them at night; two thousand by `npm test -- histories --histories 2000`. */
import { expect, test } from 'vitest';
import { runBatch } from '../support/billing-model/batch.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { sampleSize } from '../support/run/test-size.ts';

const LIMIT_MS = 600_000;
const PEOPLE = sampleSize(14, 100);
/** `npm test -- histories --seed 1 --only N` lives person N's history again. */
const SEED = 1;

test(
  `keeps provider, row, page and quota in agreement, and the money right, through ${PEOPLE} random subscriber lives`,
  async () => {
    const { found, ...counts } = await runBatch({ kind: dayDatabase, seed: SEED, people: PEOPLE, rounds: 4 });
    expect({ seed: SEED, found }).toEqual({ seed: SEED, found: [] });
    expect(counts.histories).toBe(PEOPLE);
    expect(counts.acts).toBeGreaterThan(2 * PEOPLE);
  },
  LIMIT_MS,
);
