/** Restores a backup into an empty place: checked before, compared afterwards, all of it or nothing. */
import { createReadStream, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { extract } from 'tar';
import type { Database } from '../platform/database/database.ts';
import { assertSchemaKnown } from '../platform/database/migration-files.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { fillEmptyDatabase, type TableSum } from './database-copy.ts';
import { type BackupManifest, BackupRefused, fileHash, MANIFEST_NAME, readManifest } from './manifest.ts';

export interface RestoreOptions {
  file: string;
  /** An empty or missing folder. */
  dataDir: string;
  /** Opens the database to restore into, which may be in `dataDir`. */
  openDatabase(): Promise<Database>;
  log: Logger;
}

export interface Restored {
  manifest: BackupManifest;
  tables: readonly TableSum[];
}

/** Rows per insert. */
const INSERTED_ROWS = 500;

/** @throws BackupRefused, MigrationRefused; the data folder and the database then remain empty */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const dataDir = resolve(options.dataDir);
  if (!existsSync(options.file)) throw new BackupRefused(`${options.file} does not exist.`);
  if (await hasContent(dataDir))
    throw new BackupRefused(`The data folder ${dataDir} is not empty. Nothing was overwritten.`);
  await mkdir(dirname(dataDir), { recursive: true });
  const draft = await mkdtemp(join(dirname(dataDir), '.kat-restore-'));
  try {
    await unpack(options.file, draft);
    const manifest = await readManifest(join(draft, MANIFEST_NAME));
    await assertUnchanged(draft, manifest);
    await assertSchemaKnown(manifest.migrations);
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    try {
      const tables = await restoreDatabase(options, draft, manifest);
      for (const { path } of manifest.files) await putFile(join(draft, 'data', path), join(dataDir, path));
      return { manifest, tables };
    } catch (error) {
      for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true, force: true });
      throw error;
    }
  } finally {
    // Unpacking a damaged file stops midway, and late writes may still arrive.
    await rm(draft, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function unpack(file: string, folder: string): Promise<void> {
  try {
    await extract({
      file,
      cwd: folder,
      strict: true,
      preserveOwner: false,
      filter: (_path, entry) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory'),
    });
  } catch (error) {
    throw new BackupRefused(
      `${file} is damaged or isn’t a Kat backup: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

/** Checks that the folder holds exactly the manifest's files, each with its checksum. */
async function assertUnchanged(folder: string, manifest: BackupManifest): Promise<void> {
  const wanted = new Map([
    ...manifest.tables.map(({ file, sha256 }): [string, string] => [file, sha256]),
    ...manifest.files.map(({ path, sha256 }): [string, string] => [`data/${path}`, sha256]),
  ]);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name)
      .slice(folder.length + 1)
      .split(sep)
      .join('/');
    if (path === MANIFEST_NAME) continue;
    const sha256 = wanted.get(path);
    if (sha256 === undefined) throw new BackupRefused(`The backup was changed: ${path} is not part of it.`);
    if ((await fileHash(join(folder, path))) !== sha256)
      throw new BackupRefused(`The backup was changed: ${path} has a different checksum.`);
    wanted.delete(path);
  }
  const [missing] = wanted.keys();
  if (missing !== undefined) throw new BackupRefused(`The backup was changed: ${missing} is missing.`);
}

async function restoreDatabase(options: RestoreOptions, draft: string, manifest: BackupManifest): Promise<TableSum[]> {
  const tables = new Map(manifest.tables.map((table) => [table.name, table]));
  const storedAs = (name: string): BackupManifest['tables'][number] => {
    const found = tables.get(name);
    if (found === undefined) throw new Error(`no table ${name}`);
    return found;
  };
  const database = await options.openDatabase();
  try {
    return await fillEmptyDatabase(
      database,
      {
        ...manifest,
        rowsOf: ({ name }) => linesOf(join(draft, storedAs(name).file)),
        sumOf: ({ name }) => storedAs(name),
      },
      options.log,
    );
  } finally {
    await database.close();
  }
}

/** Splits at line feeds only: other line separators may be part of a text. */
async function* linesOf(path: string): AsyncGenerator<string[]> {
  let page: string[] = [];
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 18 })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      page.push(line);
      if (page.length < INSERTED_ROWS) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}

async function putFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await chmod(to, 0o600);
}

async function hasContent(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}
