/**
 * A database from before the migrations were merged keeps every row when this version starts on it, and so does its
 * copy.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openSigningKeys } from '../../server/backend/auth/keys/keys.ts';
import { moveDatabase } from '../../server/backup/move-database.ts';
import { atOneMoment, type CopiedTable, sumOf, tablesOf } from '../../server/backup/table-store.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openPostgresDatabase } from '../../server/platform/database/postgres/postgres-database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { createTestPostgres, openEmptyPglite, testLimits, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { laterMigrations, migrateAsFormerVersion, recordedMigrations } from '../support/database/former-migrations.ts';
import { SHIPPED_MODELS, startWholeServer } from '../support/servers/whole-server.ts';
import { type FilledUser, fillUser } from '../support/worlds/filled-user.ts';

const sumsOf = (database: Database, tables: readonly CopiedTable[]) =>
  atOneMoment(database, async (tx) => {
    const sums: Record<string, string> = {};
    for (const table of tables) {
      const { rows, hash } = await sumOf(tx, table);
      sums[table.name] = `${rows} rows, ${hash}`;
    }
    return sums;
  });

// Runs on both kinds, because each opens the databases of former versions.
describeEachDatabase('a database from before the migrations were merged', (kind) => {
  const closing: (() => Promise<void>)[] = [];
  let database: Database;
  let tables: CopiedTable[];
  let ann: FilledUser;
  let copy: Database;
  /** Checksums of the tables, and the migrations on record: before the database is taken over. */
  let before: { sums: Record<string, string>; recorded: string[] };
  let takenOver: { migrations: string[]; sums: Record<string, string> };

  async function empty(): Promise<Database> {
    if (kind === 'pglite') return openEmptyPglite();
    const target = await createTestPostgres(false);
    closing.push(target.drop);
    return openPostgresDatabase({ ...testLimits(), url: target.url, poolSize: 3 });
  }
  async function opened(): Promise<Database> {
    const one = await empty();
    closing.push(() => one.close());
    return one;
  }

  beforeAll(async () => {
    database = await opened();
    await migrateAsFormerVersion(database);
    ann = await fillUser(database, 'ann');
    await insertRecords(database, makeRecords({ slots: 2 }));
    // A month of minutes, one from before and one in the future.
    await database.query(
      OWNER,
      `insert into private.market_candles
       select 'binance', 'BTCUSDT.P', t, 1, 2, 1, 1, 1
         from generate_series(${Math.floor(Date.now() / 60_000) * 60 - 30 * 86_400}::bigint, extract(epoch from now())::bigint, 60) t
        union all values ('okx', 'X', 60::bigint, 1, 2, 1, 1, 1), ('okx', 'X', 4102444800, 1, 2, 1, 1, 1)`,
    );
    // What a migration records about itself is not part of the data.
    tables = (await atOneMoment(database, tablesOf)).filter(({ name }) => name !== 'private.schema_migrations');
    before = { sums: await sumsOf(database, tables), recorded: await recordedMigrations(database) };
    copy = await opened();
    await moveDatabase(database, copy, testLog);
    const migrations = await migrate(database, { log: testLog });
    takenOver = { migrations, sums: await sumsOf(database, tables) };
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  test('is copied unchanged, and taken over at its destination', async () => {
    expect(await sumsOf(copy, tables)).toEqual(before.sums);

    expect(await recordedMigrations(copy)).toEqual(before.recorded);
    expect(await migrate(copy, { log: testLog })).toEqual(await laterMigrations());
    expect(await sumsOf(copy, tables)).toEqual(before.sums);
  });

  test('keeps every row when it is taken over, and its record still refuses changes', async () => {
    const filled = Object.values(before.sums).filter((sum) => !sum.startsWith('0 rows'));
    expect(filled.length).toBeGreaterThan(40);

    expect(takenOver).toEqual({ migrations: await laterMigrations(), sums: before.sums });
    await expect(database.query(OWNER, 'delete from private.track_records')).rejects.toThrow('never changed');
  });

  test('serves its users and the record on the whole new server', async () => {
    const faults: string[] = [];
    const log = createLogger('error', { write: (line) => void faults.push(line) });
    const server = await startWholeServer(database, {
      modelsDir: SHIPPED_MODELS,
      log,
    });
    try {
      const keys = await openSigningKeys(server.dataDir);
      const [session] = await database.query<{ id: string }>(
        OWNER,
        'insert into auth.sessions (user_id) values ($1::text::uuid) returning id::text',
        [ann.id],
      );
      const nowS = Math.floor(Date.now() / 1000);
      const claims = { sub: ann.id, aud: 'authenticated', role: 'authenticated', aal: 'aal1', session_id: session?.id };
      const headers = {
        apikey: keys.anonKey,
        authorization: `Bearer ${await keys.sign(claims, nowS - 5, nowS + 600)}`,
      };
      const rows = async (path: string) =>
        z.array(z.unknown()).parse(await (await fetch(server.url + path, { headers })).json()).length;

      expect(await rows('/rest/v1/user_predictions?select=id,data')).toBe(1);
      expect(await rows('/rest/v1/profiles?select=full_name&full_name=eq.Full%20ann')).toBe(1);
      expect(await rows('/record/records.json?market=live')).toBeGreaterThan(0);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      expect(faults).toEqual([]);
    } finally {
      await server.close();
    }
  });
});
