import type { Logger } from '../telemetry/log.ts';
import { type Database, OWNER, type Transaction } from './database.ts';
import { type AppliedMigration, knownOf, type Migration, MigrationRefused, readMigrations } from './migration-files.ts';

export interface MigrateOptions {
  log: Logger;
  /** The folder that holds embedded/ and migrations/. Default: supabase/ in the repository. */
  directory?: string;
  /** True for a hosted project, which has its own roles, accounts and files, so embedded/ is not applied. */
  isHosted?: boolean;
}

/** An arbitrary constant: processes that start at the same time take turns on this lock. */
const LOCK_KEY = 6_411_552_086;

/**
 * Applies embedded/*.sql, then migrations/*.sql, each once and in one transaction, and sends `notify pgrst`.
 * @returns the names applied by this call, in order
 * @throws MigrationRefused when an applied file was edited or removed; SqlError when a file fails, which is rolled back
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<string[]> {
  const isHosted = options.isHosted ?? false;
  const folders = isHosted ? ['migrations'] : ['embedded', 'migrations'];
  const migrations = await readMigrations(folders, options.directory);
  const work = { migrations, folders, isHosted };
  await database.transaction(OWNER, (tx) => prepare(tx, work), { statementLimitMs: 0 });
  const applied: string[] = [];
  for (const migration of migrations) {
    const isNew = await database.transaction(OWNER, (tx) => apply(tx, migration, work), { statementLimitMs: 0 });
    if (!isNew) continue;
    applied.push(migration.name);
    options.log.info({ migration: migration.name }, 'migration applied');
  }
  if (applied.length > 0) await database.query(OWNER, 'notify pgrst');
  return applied;
}

/**
 * Gives an empty database exactly the files applied in another one, so that rows of an older version find their tables.
 * @throws MigrationRefused when a file is unknown here (a newer version made it) or its text differs
 */
export async function migrateLike(
  database: Pick<Database, 'transaction'>,
  applied: readonly AppliedMigration[],
  { log, directory }: MigrateOptions,
): Promise<void> {
  const folders = ['embedded', 'migrations'];
  const migrations = knownOf(await readMigrations(folders, directory), applied);
  const work = { migrations, folders, isHosted: false };
  await database.transaction(OWNER, (tx) => prepare(tx, work), { statementLimitMs: 0 });
  for (const migration of migrations) {
    await database.transaction(OWNER, (tx) => apply(tx, migration, work), { statementLimitMs: 0 });
    log.debug({ migration: migration.name }, 'migration applied');
  }
}

interface Work {
  migrations: readonly Migration[];
  folders: readonly string[];
  isHosted: boolean;
}

async function prepare(tx: Transaction, work: Work): Promise<void> {
  await takeTurn(tx);
  await tx.query(`
    create schema if not exists private;
    create table if not exists private.schema_migrations (
      name       text primary key,
      checksum   text not null,
      applied_at timestamptz not null default now()
    );
    comment on table private.schema_migrations is 'Applied files of supabase/, with the SHA-256 of each';
  `);
  if (work.isHosted) await makeForeignTable(tx);
  if (work.isHosted) await adoptForeign(tx, work.migrations);
}

/** @returns false when it is already applied, perhaps by a process that started at the same time */
async function apply(tx: Transaction, migration: Migration, work: Work): Promise<boolean> {
  await takeTurn(tx);
  const all = await tx.query<{ name: string; checksum: string }>(
    'select name, checksum from private.schema_migrations',
  );
  const rows = all.filter((row) => work.folders.some((folder) => row.name.startsWith(`${folder}/`)));
  const names = new Set(work.migrations.map((one) => one.name));
  const unknown = rows.find((row) => !names.has(row.name));
  if (unknown) throw new MigrationRefused(unknownText(unknown, work.migrations));
  const existing = rows.find((row) => row.name === migration.name);
  if (existing) {
    if (existing.checksum === migration.checksum) return false;
    throw new MigrationRefused(
      `The migration ${migration.name} was edited after it was applied here. Never edit an applied migration: restore its old text and put the change in a new file. ${ANEW}`,
    );
  }
  await tx.query(migration.text);
  await record(tx, migration);
  if (work.isHosted) await recordForeign(tx, migration);
  return true;
}

/** A file that is still being written is renamed and edited. */
const ANEW = 'While you develop, you can also start with other data: another DATA_DIR.';

function unknownText({ name, checksum }: AppliedMigration, migrations: readonly Migration[]): string {
  const renamed = migrations.find((one) => one.checksum === checksum);
  if (renamed !== undefined)
    return `The migration ${name} was renamed to ${renamed.name} after it was applied here. Give it its old name. ${ANEW}`;
  return `This database contains the migration ${name}, which this version does not know. Either a newer version created it, or its file was removed. ${ANEW}`;
}

async function record(tx: Transaction, { name, checksum }: AppliedMigration): Promise<void> {
  await tx.query('insert into private.schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

async function makeForeignTable(tx: Transaction): Promise<void> {
  await tx.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
    alter table supabase_migrations.schema_migrations add column if not exists statements text[];
    alter table supabase_migrations.schema_migrations add column if not exists name text;
  `);
}

/**
 * A hosted project's tool (`supabase db push`) may already have applied some of the files. It stores their versions
 * (the digits before the first underscore) in its own table, so the two records are synchronized.
 */
async function adoptForeign(tx: Transaction, migrations: readonly Migration[]): Promise<void> {
  const rows = await tx.query<{ version: string }>('select version from supabase_migrations.schema_migrations');
  const versions = new Set(rows.map(({ version }) => version));
  const known = await tx.query<{ name: string }>('select name from private.schema_migrations');
  const recorded = new Set(known.map((row) => row.name));
  for (const migration of migrations) {
    const isApplied = versions.has(foreignName(migration).version);
    if (isApplied && !recorded.has(migration.name)) await record(tx, migration);
    if (!isApplied && recorded.has(migration.name)) await recordForeign(tx, migration);
  }
}

async function recordForeign(tx: Transaction, migration: AppliedMigration): Promise<void> {
  const { version, name } = foreignName(migration);
  await tx.query(
    'insert into supabase_migrations.schema_migrations (version, name) values ($1, $2) on conflict (version) do nothing',
    [version, name],
  );
}

function foreignName(migration: AppliedMigration): { version: string; name: string } {
  const file = migration.name.slice(migration.name.indexOf('/') + 1).replace(/\.sql$/, '');
  const at = file.indexOf('_');
  return { version: file.slice(0, at), name: file.slice(at + 1) };
}

/**
 * The lock lasts until the transaction ends. On PGlite it excludes no one, but no other process can be connected there.
 */
async function takeTurn(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1::bigint)', [LOCK_KEY]);
}
