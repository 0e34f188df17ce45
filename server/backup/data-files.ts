/** The data folder's files beside the database: keys, stored files, the state of the payment sandbox. */

import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { Transaction } from '../platform/database/database.ts';
import { nullIfMissing } from '../platform/error-code.ts';
import type { BackupManifest } from './manifest.ts';

/** The database is copied row by row; locks, a running sandbox's control file and partial files are transient. */
const EXCLUDED = /^(database|database\.lock.*|payments-control\.json)$|\.(tmp|draft)$/;
/** Append-only files: a partial last line is dropped. */
const GROWING = /\.jsonl$/;

export type DataFile = BackupManifest['files'][number];

/** @param target  the folder that receives them, each with mode 0600 */
export async function copyDataFiles(dataDir: string, target: string): Promise<DataFile[]> {
  const files: DataFile[] = [];
  for (const path of await pathsIn(dataDir, '')) {
    // Null: deleted since the folder was listed.
    const whole = await readFile(join(dataDir, path)).catch(nullIfMissing);
    if (whole === null) continue;
    const bytes = GROWING.test(path) ? whole.subarray(0, whole.lastIndexOf(0x0a) + 1) : whole;
    const copy = join(target, path);
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    await writeFile(copy, bytes, { mode: 0o600 });
    files.push({ path, bytes: bytes.length, sha256: hash('sha256', bytes) });
  }
  return files;
}

/** Versions of stored files that rows name but no file holds, because a file was replaced during the copy. */
export async function missingStoredFiles(tx: Transaction, files: readonly DataFile[]): Promise<string[]> {
  const copied = new Set(files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)));
  const rows = await tx.query('select version from storage.objects where version is not null');
  return z
    .array(z.object({ version: z.string() }))
    .parse(rows)
    .map(({ version }) => version)
    .filter((version) => !copied.has(version));
}

async function pathsIn(root: string, folder: string): Promise<string[]> {
  const entries = (await readdir(join(root, folder), { withFileTypes: true }).catch(nullIfMissing)) ?? [];
  const paths: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (EXCLUDED.test(entry.name)) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...(await pathsIn(root, path)));
    else if (entry.isFile()) paths.push(path);
  }
  return paths;
}
