/** `npm test -- fuzz`: 20,000 hostile requests to all routes on each database. Set FUZZ_REQUESTS and FUZZ_SEED. */
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import { bin, NODE, run } from '../steps.ts';

const TEST = 'tests/contract/fuzz.test.ts';

const postgres = await startThrowawayPostgres();
const isHere = !('skipped' in postgres);
if (!isHere) console.log(`skipped: PostgreSQL (${postgres.skipped})`);
try {
  const env = {
    FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? '20000',
    ...(isHere ? { TEST_DATABASE_URL: postgres.url } : {}),
  };
  const { code } = await run(NODE, [bin('vitest'), 'run', '--project', 'contract', TEST], { env });
  process.exitCode = code;
} finally {
  if (isHere) await postgres.stop();
}
