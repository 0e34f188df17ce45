/** Migrations: once, in order, whole or not at all, and never an edited one. */
import { appendFileSync, cpSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { MigrationRefused } from '../../server/platform/database/migration-files.ts';
import { openPostgresDatabase } from '../../server/platform/database/postgres/postgres-database.ts';
import {
  createTestPostgres,
  openTestDatabase,
  POSTGRES_SKIPPED,
  testDatabaseKinds,
  testLimits,
  testLog,
} from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';

const SUPABASE = fileURLToPath(new URL('../../supabase/', import.meta.url));

const FILES = readdirSync(join(SUPABASE, 'migrations')).sort();

test('has a unique version for every migration, by which hosted projects identify it', () => {
  const versions = FILES.map((file) => file.split('_')[0]);
  expect(versions.filter((version, i) => versions.indexOf(version) !== i)).toEqual([]);
});

// Runs on both kinds, because migrations take a lock.
describeEachDatabase('migrations', (kind) => {
  let database: Database;
  let directory: string;
  let recorded: { name: string; checksum: string }[];
  const options = () => ({ log: testLog, directory });

  // A separate one: a lent database whose schema changes is thrown away, and these tests change it in one table.
  beforeAll(async () => {
    database = await openTestDatabase(kind, { isOwn: true });
    recorded = await database.query(OWNER, 'select name, checksum from private.schema_migrations');
  });
  afterAll(() => database?.close());

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'kat-migrations-'));
    for (const folder of ['embedded', 'migrations'])
      cpSync(join(SUPABASE, folder), join(directory, folder), { recursive: true });
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true, force: true });
    await database.query(OWNER, 'drop table if exists private.more');
    await database.query(OWNER, 'delete from private.schema_migrations');
    await database.query(
      OWNER,
      'insert into private.schema_migrations (name, checksum) select * from unnest($1::text[], $2::text[])',
      [recorded.map(({ name }) => name), recorded.map(({ checksum }) => checksum)],
    );
  });

  test('changes nothing on a second run', async () => {
    expect(await migrate(database, options())).toEqual([]);
  });

  test('applies a new file and notifies readers of the catalogue', async () => {
    let notified = 0;
    await database.listen('pgrst', () => {
      notified += 1;
    });
    writeFileSync(join(directory, 'migrations/29990101000000_more.sql'), 'create table private.more (id int);');

    const applied = await migrate(database, options());
    await database.query(OWNER, 'select 1');

    expect(applied).toEqual(['migrations/29990101000000_more.sql']);
    expect(await database.query(OWNER, 'select * from private.more')).toEqual([]);
    await expect.poll(() => notified).toBe(1);
  });

  test('refuses an edited file by name', async () => {
    appendFileSync(join(directory, 'migrations/20261130010000_accounts.sql'), '\n-- a word more\n');

    const work = migrate(database, options());

    await expect(work).rejects.toThrow(MigrationRefused);
    await expect(work).rejects.toThrow(/20261130010000_accounts\.sql was edited/);
  });

  test('ignores changed line ends', async () => {
    const path = join(directory, 'migrations/29990101000000_more.sql');
    writeFileSync(path, 'create table private.more (id int);\ncomment on table private.more is $$x$$;\n');
    await migrate(database, options());
    writeFileSync(path, 'create table private.more (id int);\r\ncomment on table private.more is $$x$$;\r\n');

    expect(await migrate(database, options())).toEqual([]);
  });

  test('refuses a database of a newer version', async () => {
    rmSync(join(directory, 'migrations/20261130030000_predictions.sql'));

    await expect(migrate(database, options())).rejects.toThrow(/20261130030000_predictions\.sql, which this version/);
  });

  test('names both names of a file that was renamed, and the way out', async () => {
    const folder = join(directory, 'migrations');
    renameSync(join(folder, '20261130030000_predictions.sql'), join(folder, '20261130030001_predictions.sql'));

    await expect(migrate(database, options())).rejects.toThrow(
      /20261130030000_predictions\.sql was renamed to migrations\/20261130030001_predictions\.sql.* another DATA_DIR\./,
    );
  });

  test('leaves no trace of a file that fails half-way', async () => {
    const path = join(directory, 'migrations/29990101000000_more.sql');
    writeFileSync(path, 'create table private.more (id int); select 1 / 0;');

    await expect(migrate(database, options())).rejects.toMatchObject({ code: '22012' });

    await expect(database.query(OWNER, 'select * from private.more')).rejects.toMatchObject({ code: '42P01' });
    writeFileSync(path, 'create table private.more (id int);');
    expect(await migrate(database, options())).toEqual(['migrations/29990101000000_more.sql']);
  });
});

const hasPostgres = testDatabaseKinds().includes('postgres');
describe.skipIf(!hasPostgres)(`starting on postgres${hasPostgres ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  test('applies each file once when processes start at the same time', async () => {
    const { url, drop } = await createTestPostgres(false);
    const open = () => openPostgresDatabase({ ...testLimits(), url, poolSize: 2 });
    const databases = await Promise.all([open(), open(), open()]);

    const applied = await Promise.all(databases.map((database) => migrate(database, { log: testLog })));

    const names = applied.flat();
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
    await Promise.all(databases.map((database) => database.close()));
    await drop();
  });

  test('uses existing roles with a login that is no superuser', async () => {
    const { url, drop } = await createTestPostgres(false);
    const admin = await openPostgresDatabase({ ...testLimits(), url, poolSize: 1 });
    const login = `kat_login_${process.pid}`;
    const name = new URL(url).pathname.slice(1);
    await admin.query(OWNER, `create role ${login} login createrole password 'pass'`);
    await admin.query(OWNER, `alter database ${name} owner to ${login}`);
    await admin.query(OWNER, `grant all on schema public to ${login}`);
    const [version] = await admin.query(OWNER, `select current_setting('server_version_num')::int as n`);
    if (Number(version?.n) >= 160_000)
      await admin.query(OWNER, `grant anon, authenticated, service_role to ${login} with set true`);
    const loginUrl = new URL(url);
    loginUrl.username = login;
    loginUrl.password = 'pass';

    const database = await openPostgresDatabase({ ...testLimits(), url: loginUrl.href, poolSize: 2 });
    await migrate(database, { log: testLog });
    const asAnon = await database.query({ role: 'anon', claims: null }, 'select current_user::text as role');

    expect(asAnon).toEqual([{ role: 'anon' }]);
    await database.close();
    await admin.close();
    await drop();
    await dropLogin(login);
  });
});

async function dropLogin(login: string): Promise<void> {
  const { url, drop } = await createTestPostgres(false);
  const admin = await openPostgresDatabase({ ...testLimits(), url, poolSize: 1 });
  await admin.query(OWNER, `drop owned by ${login}`);
  await admin.query(OWNER, `drop role ${login}`);
  await admin.close();
  await drop();
}
