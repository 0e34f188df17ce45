/** Brings the database to this version's schema: files in name order, each once, each in one transaction. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Database, OWNER, type Transaction } from './database.ts';
import type { Logger } from './log.ts';

export interface MigrateOptions {
  log: Logger;
  /** The folder that holds embedded/ and migrations/. Default: the repository's supabase/. */
  directory?: string;
}

export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

const DEFAULT_DIRECTORY = fileURLToPath(new URL('../../supabase/', import.meta.url));
/** Any constant: the key under which processes that start together take turns. */
const LOCK_KEY = 6_411_552_086;

/**
 * Applies embedded/*.sql, then migrations/*.sql, and tells the catalogue's readers (`notify pgrst`).
 *
 * @returns the names applied now, in order
 * @throws MigrationRefused when an applied file was edited or removed; SqlError of a file that fails, which leaves no trace
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<string[]> {
  const migrations = await readMigrations(options.directory ?? DEFAULT_DIRECTORY);
  await database.transaction(OWNER, prepare, { statementLimitMs: 0 });
  const applied: string[] = [];
  for (const migration of migrations) {
    const isNew = await database.transaction(OWNER, (tx) => apply(tx, migration, migrations), { statementLimitMs: 0 });
    if (!isNew) continue;
    applied.push(migration.name);
    options.log.info({ migration: migration.name }, 'migration applied');
  }
  if (applied.length > 0) await database.query(OWNER, 'notify pgrst');
  return applied;
}

async function prepare(tx: Transaction): Promise<void> {
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
}

/** @returns false when it stands already, be it from a process that started at the same time */
async function apply(tx: Transaction, migration: Migration, known: readonly Migration[]): Promise<boolean> {
  await takeTurn(tx);
  const rows = await tx.query<{ name: string; checksum: string }>(
    'select name, checksum from private.schema_migrations',
  );
  const names = new Set(known.map((one) => one.name));
  const stranger = rows.find((row) => !names.has(row.name));
  if (stranger) {
    throw new MigrationRefused(
      `This database holds the migration ${stranger.name}, which this version does not know: it was made by a newer version, or the file was removed.`,
    );
  }
  const standing = rows.find((row) => row.name === migration.name);
  if (standing) {
    if (standing.checksum === migration.checksum) return false;
    throw new MigrationRefused(
      `The migration ${migration.name} was edited after it was applied here. An applied migration is never edited: put its old text back and make the change a new file.`,
    );
  }
  await tx.query(migration.text);
  await tx.query('insert into private.schema_migrations (name, checksum) values ($1, $2)', [
    migration.name,
    migration.checksum,
  ]);
  return true;
}

/** Held until the transaction ends. On PGlite it excludes nothing, and nobody else can be there. */
async function takeTurn(tx: Transaction): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1::bigint)', [LOCK_KEY]);
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const folder of ['embedded', 'migrations']) {
    const names = (await readdir(`${directory}/${folder}`)).filter((name) => name.endsWith('.sql')).sort();
    for (const name of names) {
      const text = (await readFile(`${directory}/${folder}/${name}`, 'utf8')).replaceAll('\r\n', '\n');
      migrations.push({ name: `${folder}/${name}`, text, checksum: createHash('sha256').update(text).digest('hex') });
    }
  }
  return migrations;
}
