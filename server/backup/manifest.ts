/** The description of a backup: written last, read first, and trusted only with its own checksum. */
import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
/** A path within the archive, with slashes on every system. */
const filePath = z.string().check(z.regex(/^(?!.*(^|\/)\.{1,2}(\/|$))[^/\\\0][^\\\0]*$/));

const manifestSchema = z.object({
  format: z.literal('kat-backup'),
  /** Version of the format; a reader refuses a newer one. */
  version: z.literal(1),
  madeAt: z.iso.datetime(),
  product: z.string(),
  database: z.object({ kind: z.enum(['pglite', 'postgres']), version: z.string() }),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: z.int(),
      /** Hash of the rows in any order: see row-sum.ts. */
      hash: sha256,
      file: filePath,
      sha256,
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  /** Where the bytes of stored files are: in this backup, or in a bucket with its own backup. */
  storedFiles: z.enum(['folder', 'bucket']),
  /** Files of the data folder, under `data/` in the archive. */
  files: z.array(z.object({ path: filePath, bytes: z.int(), sha256 })),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

const sealedSchema = z.object({ sha256, manifest: z.unknown() });

export const MANIFEST_NAME = 'manifest.json';

/** Refuses a backup that is damaged, of another kind or of a newer version. Its message is shown to the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

export async function writeManifest(path: string, manifest: BackupManifest): Promise<void> {
  const sealed = { sha256: hashOf(manifest), manifest };
  await writeFile(path, `${JSON.stringify(sealed, null, 1)}\n`, { mode: 0o600 });
}

/** @throws BackupRefused */
export async function readManifest(path: string): Promise<BackupManifest> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new BackupRefused('This isn’t a Kat backup: it has no manifest.');
  }
  try {
    const sealed = sealedSchema.parse(JSON.parse(text));
    if (sealed.sha256 !== hashOf(sealed.manifest))
      throw new BackupRefused('The backup was changed: its manifest does not match its checksum.');
    return manifestSchema.parse(sealed.manifest);
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw new BackupRefused('The backup’s manifest cannot be read: it is damaged or from a newer version of Kat.');
  }
}

/** @returns 64 hex digits */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function hashOf(manifest: unknown): string {
  return hash('sha256', JSON.stringify(manifest));
}
