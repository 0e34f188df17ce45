/**
 * The database becomes unavailable: listeners are notified once it is back, and a server can be stopped meanwhile.
 */
import { expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase, openTestPglite, type TestDatabaseKind } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

/** A database and a way to break its listening connection. */
async function breakable(kind: TestDatabaseKind): Promise<{ database: Database; cut: () => Promise<unknown> }> {
  if (kind === 'pglite') {
    const database = await openTestPglite();
    return { database, cut: () => database.crash() };
  }
  const database = await openTestDatabase(kind);
  const endListeners = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()`;
  return { database, cut: () => database.query(OWNER, endListeners) };
}

// Runs on both kinds: PGlite is a thread here, PostgreSQL a server.
describeEachDatabase('loss of the database', (kind) => {
  test('stops a server completely while its database is closed', async () => {
    const database = await openTestDatabase(kind);
    const server = await startWholeServer(database);
    await database.close();

    await server.close();

    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test('notifies a listener once the database is back, and delivers later notifications', async () => {
    const { database, cut } = await breakable(kind);
    const received: string[] = [];
    await database.listen('pgrst', (payload) => received.push(payload));

    await cut();
    const isBack = () => database.query(OWNER, 'select 1 as one').catch(() => null);
    await expect.poll(isBack).toEqual([{ one: 1 }]);
    await expect.poll(() => received).toEqual(['']);
    await database.query(OWNER, "select pg_notify('pgrst', 'again')");

    await expect.poll(() => received).toEqual(['', 'again']);
    await database.close();
  });
});
