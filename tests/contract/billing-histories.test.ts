/** A hundred random lives of subscribers; two thousand by `npm run test:billing -- --histories 2000`. */
import { expect, test } from 'vitest';
import { runBatch } from '../support/billing-model/batch.ts';
import { testDatabaseKinds } from '../support/database.ts';

const LIMIT_MS = 600_000;
/** `npm run test:billing -- --seed 1 --only N` lives person N's history again. */
const SEED = 1;

test(
  'whatever a hundred subscribers do, and whatever fails, provider, row, screen and gate agree, and the money is right',
  async () => {
    const kind = testDatabaseKinds().at(-1) ?? 'pglite';
    const { found, ...counts } = await runBatch({ kind, seed: SEED, people: 100, rounds: 4 });
    expect({ seed: SEED, found }).toEqual({ seed: SEED, found: [] });
    expect(counts.histories).toBe(100);
    expect(counts.acts).toBeGreaterThan(200);
  },
  LIMIT_MS,
);
