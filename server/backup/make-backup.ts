/**
 * Writes one file with everything: each table as rows of text, and the data folder, with checksums. Needs no database
 * program, and either kind of database can restore the other's backup. docs/decisions/040-backups.md
 */

import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, link, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { create } from 'tar';
import type { Database, Transaction } from '../platform/database/database.ts';
import { copyDataFiles, missingStoredFiles } from './data-files.ts';
import { type BackupManifest, BackupRefused, fileHash, MANIFEST_NAME, writeManifest } from './manifest.ts';
import { rowSum } from './row-sum.ts';
import {
  appliedMigrationsOf,
  atOneMoment,
  type CopiedTable,
  rowsOf,
  sequencesOf,
  serverVersionOf,
  tablesOf,
} from './table-store.ts';

export interface BackupOptions {
  database: Database;
  dataDir: string;
  /** A path that does not exist yet. */
  file: string;
  /** Stored files are in a bucket, which needs its own backup. */
  hasBucket: boolean;
  version: string;
  nowMs: number;
}

export interface BackupResult {
  file: string;
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  storedFiles: BackupManifest['storedFiles'];
}

/** Prefix of the folder beside the file, in which a backup is assembled. */
export const DRAFT_PREFIX = '.kat-backup-';
/** PostgreSQL keeps working meanwhile: a profile photo may be replaced between its row and its file. */
const ATTEMPTS = 3;
/** Takes half the time of the usual 6, for a tenth more bytes. */
const GZIP_LEVEL = 4;

/** @throws BackupRefused; Error of the file system or the database; then there is no file at `file` */
export async function makeBackup(options: BackupOptions): Promise<BackupResult> {
  const file = resolve(options.file);
  if (existsSync(file)) throw new BackupRefused(`${file} already exists. Nothing was overwritten.`);
  if (isWithin(options.dataDir, file))
    throw new BackupRefused('A backup must be outside the data folder, ideally on another disk.');
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(dirname(file), DRAFT_PREFIX));
  try {
    const manifest = await collect(options, join(draft, 'content'));
    const packed = join(draft, basename(file));
    await create(
      { file: packed, cwd: join(draft, 'content'), gzip: { level: GZIP_LEVEL }, portable: true, strict: true },
      [MANIFEST_NAME, 'tables', 'data'],
    );
    await chmod(packed, 0o600);
    const { size } = await stat(packed);
    // Fails if another file appeared there meanwhile.
    await link(packed, file);
    return {
      file,
      bytes: size,
      tables: manifest.tables.length,
      files: manifest.files.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      storedFiles: manifest.storedFiles,
    };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function collect(options: BackupOptions, content: string): Promise<BackupManifest> {
  for (let attempt = 1; ; attempt += 1) {
    await rm(content, { recursive: true, force: true });
    for (const folder of ['tables', 'data']) await mkdir(join(content, folder), { recursive: true, mode: 0o700 });
    const { manifest, missing } = await atOneMoment(options.database, (tx) => copyAll(tx, options, content));
    const isLast = options.database.kind === 'pglite' || attempt === ATTEMPTS;
    if (missing.length === 0 || isLast) {
      if (missing.length > 0)
        throw new BackupRefused(
          `${missing.length} stored files listed in the database are missing from ${join(options.dataDir, 'storage')}, starting with ${missing[0]}. A backup without them would be incomplete.`,
        );
      await writeManifest(join(content, MANIFEST_NAME), manifest);
      return manifest;
    }
  }
}

async function copyAll(
  tx: Transaction,
  { database, dataDir, hasBucket, version, nowMs }: BackupOptions,
  content: string,
): Promise<{ manifest: BackupManifest; missing: string[] }> {
  const migrations = await appliedMigrationsOf(tx);
  if (migrations.length === 0) throw new BackupRefused('This database contains no Kat data yet.');
  const tables: BackupManifest['tables'] = [];
  for (const [i, table] of (await tablesOf(tx)).entries())
    tables.push(await copyTable(tx, table, content, `tables/${String(i).padStart(3, '0')}.ndjson`));
  const sequences = await sequencesOf(tx);
  const files = await copyDataFiles(dataDir, join(content, 'data'));
  const missing = hasBucket ? [] : await missingStoredFiles(tx, files);
  const manifest: BackupManifest = {
    format: 'kat-backup',
    version: 1,
    madeAt: new Date(nowMs).toISOString(),
    product: version,
    database: { kind: database.kind, version: await serverVersionOf(tx) },
    migrations,
    tables,
    sequences,
    storedFiles: hasBucket ? 'bucket' : 'folder',
    files,
  };
  return { manifest, missing };
}

async function copyTable(
  tx: Transaction,
  table: CopiedTable,
  content: string,
  file: string,
): Promise<BackupManifest['tables'][number]> {
  const sum = rowSum();
  const out = createWriteStream(join(content, file), { mode: 0o600 });
  const failed = once(out, 'error').then(([error]) => Promise.reject(error));
  const closed = once(out, 'close');
  // The next wait reports the error.
  failed.catch(() => undefined);
  for await (const lines of rowsOf(tx, table)) {
    for (const line of lines) sum.add(line);
    if (!out.write(`${lines.join('\n')}\n`)) await Promise.race([once(out, 'drain'), failed]);
  }
  out.end();
  await Promise.race([closed, failed]);
  return { ...table, rows: sum.rows, hash: sum.hash, file, sha256: await fileHash(join(content, file)) };
}

function isWithin(folder: string, path: string): boolean {
  const inner = relative(resolve(folder), path);
  return inner !== '' && !inner.startsWith('..') && resolve(inner) !== inner;
}
