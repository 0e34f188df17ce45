/**
 * `npm test -- histories --histories 2000 --seed 1`: random subscriber histories through the real HTTP path with the
 * payment sandbox, checked on four sides. Prints one line of JSON per batch and a sum; exits with 1 if something
 * disagrees or nothing ran. `--seed S --only N` repeats person N of batch S.
 */
import { parseArgs } from 'node:util';
import { type BatchResult, runBatch } from '../../tests/support/billing-model/batch.ts';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import { BadInput } from '../bad-input.ts';
import { readOrExit, wholeNumberOf } from '../command-line.ts';

const PEOPLE = 50;
const ROUNDS = 10;
const DATABASES = ['postgres', 'pglite'] as const;

const { histories, firstSeed, rounds, only, database } = readOrExit(
  readOptions,
  'npm test -- histories [--histories N] [--seed N] [--rounds N] [--only N,N...] [--database postgres|pglite]',
);
const postgres = database === 'postgres' ? await startThrowawayPostgres() : { skipped: 'not requested' };
if (!('skipped' in postgres)) process.env.TEST_DATABASE_URL = postgres.url;
const kind = 'skipped' in postgres ? 'pglite' : 'postgres';
const batches = only === null ? Math.ceil(histories / PEOPLE) : 1;

const results: BatchResult[] = [];
const startedMs = performance.now();
for (let batch = 0; batch < batches; batch += 1) {
  const seed = firstSeed + batch;
  const result = await runBatch({ kind, seed, people: PEOPLE, rounds, ...(only === null ? {} : { only }) });
  results.push(result);
  const { found, ...counts } = result;
  console.log(JSON.stringify({ kind, seed, ...counts, disagreements: found.length }));
  for (const one of found) console.log(JSON.stringify({ seed, ...one }, null, 1));
}
const sum = (name: 'histories' | 'acts' | 'restarts' | 'faults' | 'lostRounds') =>
  results.reduce((total, one) => total + one[name], 0);
const found = results.reduce((total, one) => total + one.found.length, 0);
console.log(
  JSON.stringify({
    histories: sum('histories'),
    acts: sum('acts'),
    restarts: sum('restarts'),
    faults: sum('faults'),
    roundsWithLostEvents: sum('lostRounds'),
    disagreements: found,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    database: kind,
  }),
);
if (!('skipped' in postgres)) await postgres.stop();
// Nothing is checked if `--only` names no one of the batch.
process.exit(found === 0 && sum('histories') > 0 ? 0 : 1);

function readOptions() {
  const { values } = parseArgs({
    options: {
      histories: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
      rounds: { type: 'string', default: String(ROUNDS) },
      only: { type: 'string' },
      database: { type: 'string', default: 'postgres' },
    },
  });
  const database = DATABASES.find((name) => name === values.database);
  if (database === undefined) throw new BadInput(`--database must be one of ${DATABASES.join(', ')}`);
  return {
    histories: wholeNumberOf('--histories', values.histories, 1),
    firstSeed: wholeNumberOf('--seed', values.seed, 0),
    rounds: wholeNumberOf('--rounds', values.rounds, 1),
    only: values.only?.split(',').map((person) => wholeNumberOf('--only', person, 0)) ?? null,
    database,
  };
}
