import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

/** A row of `private.schema_migrations`: a file's folder and name, and the SHA-256 of its text. */
export interface AppliedMigration {
  name: string;
  checksum: string;
}

export interface Migration extends AppliedMigration {
  text: string;
}

const DEFAULT_DIRECTORY = fileURLToPath(new URL('../../../supabase/', import.meta.url));

/** @param directory default: supabase/ in the repository. @returns the files in the order in which they run */
export async function readMigrations(
  folders: readonly string[],
  directory: string = DEFAULT_DIRECTORY,
): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const folder of folders) {
    const names = (await readdir(`${directory}/${folder}`)).filter((name) => name.endsWith('.sql')).sort();
    for (const name of names) {
      const text = (await readFile(`${directory}/${folder}/${name}`, 'utf8')).replaceAll('\r\n', '\n');
      migrations.push({ name: `${folder}/${name}`, text, checksum: hash('sha256', text) });
    }
  }
  return migrations;
}

/** @throws MigrationRefused when this version cannot create that schema */
export async function assertSchemaKnown(applied: readonly AppliedMigration[]): Promise<void> {
  knownOf(await readMigrations(['embedded', 'migrations']), applied);
}

/**
 * @returns the files that create the schema of a database that applied the given ones
 * @throws MigrationRefused when a file is unknown here (a newer version made it) or its text differs
 */
export function knownOf(known: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const wanted = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const found = known.filter(({ name }) => wanted.has(name));
  for (const { name, checksum } of found) if (checksum !== wanted.get(name)) throw otherText(name);
  const names = new Set(found.map(({ name }) => name));
  const unknown = [...wanted.keys()].find((name) => !names.has(name));
  if (unknown === undefined) return found;
  throw new MigrationRefused(
    `It contains the migration ${unknown}, which this version does not know: a newer version made it, or one from before 0.1.0. Use the version that made it.`,
  );
}

const otherText = (name: string): MigrationRefused =>
  new MigrationRefused(`The migration ${name} has a different text here. Use the version that made the database.`);
