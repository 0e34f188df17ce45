import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';

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

/** Files of earlier versions that were merged into fewer ones, which create the same schema. */
export interface Squashed {
  former: readonly AppliedMigration[];
  /** The last of the present files that replace them. */
  into: string;
}

const DEFAULT_DIRECTORY = fileURLToPath(new URL('../../../supabase/', import.meta.url));
const squashedSchema = z.object({ into: z.string(), migrations: z.record(z.string(), z.string()) });

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

export async function readSquashed(): Promise<Squashed> {
  const text = await readFile(`${DEFAULT_DIRECTORY}/squashed.json`, 'utf8');
  const { into, migrations } = squashedSchema.parse(JSON.parse(text));
  return {
    former: Object.entries(migrations).map(([file, checksum]) => ({ name: `migrations/${file}`, checksum })),
    into: `migrations/${into}`,
  };
}

/**
 * Returns what this version would have recorded: the present files in place of the former ones.
 * @throws MigrationRefused when only some of the former files were applied, or one with another text
 */
export function replaceFormer(
  applied: readonly AppliedMigration[],
  { former, into }: Squashed,
  known: readonly AppliedMigration[],
): readonly AppliedMigration[] {
  const checksums = new Map(former.map(({ name, checksum }) => [name, checksum]));
  const found = applied.filter(({ name }) => checksums.has(name));
  if (found.length === 0) return applied;
  for (const { name, checksum } of found) if (checksum !== checksums.get(name)) throw otherText(name);
  const names = new Set(applied.map(({ name }) => name));
  const [missing] = former.filter(({ name }) => !names.has(name));
  if (missing !== undefined) throw new MigrationRefused(incomplete(former, missing, found.length));
  const replacing = known.filter(({ name }) => name.startsWith('migrations/') && name <= into && !names.has(name));
  return [...applied.filter(({ name }) => !checksums.has(name)), ...replacing];
}

/** @throws MigrationRefused when this version cannot create that schema */
export async function assertSchemaKnown(applied: readonly AppliedMigration[]): Promise<void> {
  knownOf(await readMigrations(['embedded', 'migrations']), await readSquashed(), applied);
}

/**
 * @returns the files that create the schema of a database that applied the given ones
 * @throws MigrationRefused when a file is unknown here (a newer version made it) or its text differs
 */
export function knownOf(
  known: readonly Migration[],
  squashed: Squashed,
  applied: readonly AppliedMigration[],
): Migration[] {
  const wanted = new Map(replaceFormer(applied, squashed, known).map(({ name, checksum }) => [name, checksum]));
  const found = known.filter(({ name }) => wanted.has(name));
  for (const { name, checksum } of found) if (checksum !== wanted.get(name)) throw otherText(name);
  const names = new Set(found.map(({ name }) => name));
  const unknown = [...wanted.keys()].find((name) => !names.has(name));
  if (unknown === undefined) return found;
  throw new MigrationRefused(
    `It contains the migration ${unknown}, which this version does not know because a newer version made it. Use that version.`,
  );
}

const otherText = (name: string): MigrationRefused =>
  new MigrationRefused(`The migration ${name} has a different text here. Use the version that made the database.`);

function incomplete(former: readonly AppliedMigration[], missing: AppliedMigration, found: number): string {
  const last = former.at(-1)?.name;
  return `It was made by an older version: ${found} of the ${former.length} migrations that this version has merged into fewer files are applied; the first missing one is ${missing.name}. Nothing was changed. Start the last version that has the file supabase/${last} once on this database (restore a backup with that version first), and then start this version.`;
}
