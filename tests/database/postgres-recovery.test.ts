/** PostgreSQL cuts connections and ends statements: the affected callers get an error, all others continue. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAppError } from '../../domain/errors/app-error.ts';
import { type Database, OWNER, SERVICE, SqlError } from '../../server/platform/database/database.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { openTestDatabase, POSTGRES_SKIPPED, testDatabaseKinds, testLog } from '../support/database/database.ts';

const hasPostgres = testDatabaseKinds().includes('postgres');

describe.skipIf(!hasPostgres)(`a separate server${hasPostgres ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  let database: Database;
  beforeEach(async () => {
    database = await openTestDatabase('postgres', { statementLimitMs: 300 });
  });
  afterEach(() => database?.close());

  test('ends a statement past its limit without affecting others', async () => {
    const long = codeOf(database.query(SERVICE, 'select pg_sleep(20)'));
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, n) => database.query(SERVICE, 'select $1::int as n', [n])),
    );

    expect(others).toEqual(Array.from({ length: 20 }, (_, n) => [{ n }]));
    expect(await long).toBe('database/busy');
  });

  test('refuses the statement on a cut connection, rolls its transaction back, and recovers', async () => {
    const cut = database.transaction(OWNER, async (tx) => {
      await tx.query("insert into public.billing_prices values ('price_cut', 'lion', 1)");
      await tx.query('select pg_terminate_backend(pg_backend_pid())');
    });

    expect(await codeOf(cut)).toBe('database/unavailable');
    expect(await database.query(OWNER, "select 1 from public.billing_prices where price_id = 'price_cut'")).toEqual([]);
  });

  test('notifies a listener again after every connection was cut', async () => {
    const received: string[] = [];
    await database.listen('test_channel', (payload) => received.push(payload));
    await codeOf(
      database.query(
        OWNER,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ),
    );

    const notify = () => codeOf(database.query(SERVICE, "select pg_notify('test_channel', 'after')"));

    await expect
      .poll(
        async () => {
          await notify();
          return received.includes('after');
        },
        { interval: 200 },
      )
      .toBe(true);
  });
});

test('reports database/unavailable for an address where nothing listens', async () => {
  const opening = openDatabase({
    databaseUrl: 'postgres://nobody@127.0.0.1:9/none',
    dataDir: '/nowhere',
    isDurable: false,
    clockOffsetMs: () => 0,
    log: testLog,
  });

  expect(await codeOf(opening)).toBe('database/unavailable');
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return isAppError(error) || error instanceof SqlError ? error.code : String(error);
  }
}
