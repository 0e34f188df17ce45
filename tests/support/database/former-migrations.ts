/** Databases as a version left them whose migrations were single files, later merged (supabase/squashed.json). */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { readMigrations, readSquashed } from '../../../server/platform/database/migration-files.ts';
import { testLog } from './database.ts';

const SUPABASE = fileURLToPath(new URL('../../../supabase/', import.meta.url));

/** Gives an empty database the schema and the record that the last version with the former files left. */
export async function migrateAsFormerVersion(database: Database): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kat-former-'));
  try {
    cpSync(SUPABASE, directory, { recursive: true });
    for (const name of await laterMigrations()) rmSync(join(directory, name));
    await migrate(database, { log: testLog, directory });
    await recordFormerMigrations(database);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Replaces the record of the merged files by the former ones', whose schema is the same. Later files stay recorded: not
 * every one can run twice. @param count  former files from the first on; 0: the record is empty
 */
export async function recordFormerMigrations(database: Database, count = Number.POSITIVE_INFINITY): Promise<void> {
  const { former, into } = await readSquashed();
  const recorded = former.slice(0, count);
  await database.query(
    OWNER,
    "delete from private.schema_migrations where name like 'migrations/%' and ($1::text is null or name <= $1::text)",
    [count === 0 ? null : into],
  );
  await database.query(
    OWNER,
    'insert into private.schema_migrations (name, checksum) select * from unnest($1::text[], $2::text[])',
    [recorded.map(({ name }) => name), recorded.map(({ checksum }) => checksum)],
  );
}

/** The recorded names of migrations/, in order. */
export async function recordedMigrations(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    OWNER,
    `select name from private.schema_migrations where name like 'migrations/%' order by name collate "C"`,
  );
  return rows.map(({ name }) => name);
}

/** The files of migrations/ that came after the merge, which run on a database with the former ones. */
export async function laterMigrations(): Promise<string[]> {
  const { into } = await readSquashed();
  return (await readMigrations(['migrations'])).map(({ name }) => name).filter((name) => name > into);
}
