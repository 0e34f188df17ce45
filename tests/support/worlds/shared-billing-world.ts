/** One billing world for all test files of a worker: each test signs up its own people. */
import { OWNER } from '../../../server/platform/database/database.ts';
import { openTestDatabase, type TestDatabaseKind } from '../database/database.ts';
import { sharedInWorker } from '../run/shared-in-worker.ts';
import { startWholeServer } from '../servers/whole-server.ts';
import { type BillingWorld, connectBillingWorld } from './billing-world.ts';

/**
 * Only for tests that count their own people's rows, move a customer's clock at most and restart nothing; all others
 * call `openBillingWorld`, and say why.
 */
export function sharedBillingWorld(kind: TestDatabaseKind): () => BillingWorld {
  return sharedInWorker(`billing on ${kind}`, () => openWithoutSweeper(kind), reset);
}

/** The sweeper would use up faults that a test sets, and query the provider about people of earlier tests. */
async function openWithoutSweeper(kind: TestDatabaseKind): Promise<BillingWorld> {
  const database = await openTestDatabase(kind);
  await database.query(
    OWNER,
    `insert into private.jobs (name, next_due_at) values ('billing-sweep', now() + interval '1 day')`,
  );
  const server = await startWholeServer(database);
  return connectBillingWorld(database, server, async () => {
    await server.close();
    await database.close();
  });
}

/** Restores: no faults, events delivered once and in order, no test clock for new customers, no open event. */
async function reset(world: BillingWorld): Promise<void> {
  await world.control('DELETE', '/faults');
  await world.control('POST', '/webhooks', {});
  await world.control('POST', '/webhooks/release');
  await world.control('POST', '/clock', { default_test_clock: null });
  await world.control('POST', '/settings', { after_last_retry: 'cancel' });
  await world.settled();
}
