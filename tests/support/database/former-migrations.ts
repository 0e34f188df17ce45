/** Databases as a version left them whose migrations were single files, later merged (supabase/squashed.json). */
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { readMigrations, readSquashed } from '../../../server/platform/database/migration-files.ts';

/**
 * Replaces the record of a migrated database by the former files'; the schema is the same. @param count  from the first
 * on
 */
export async function recordFormerMigrations(database: Database, count = Number.POSITIVE_INFINITY): Promise<void> {
  const { former } = await readSquashed();
  const recorded = former.slice(0, count);
  await database.query(OWNER, "delete from private.schema_migrations where name like 'migrations/%'");
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
