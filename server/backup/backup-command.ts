/** Makes a backup over the operator socket, since no other process can open the embedded database meanwhile. */
import * as z from 'zod/mini';
import { type BackupOptions, makeBackup } from './make-backup.ts';
import { BackupRefused } from './manifest.ts';

const requestSchema = z.object({ file: z.string().check(z.minLength(1)) });

export const backupOutcomeSchema = z.union([
  z.object({
    kind: z.literal('made'),
    file: z.string(),
    bytes: z.int(),
    tables: z.int(),
    rows: z.int(),
    files: z.int(),
    storedFiles: z.enum(['folder', 'bucket']),
  }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
]);
export type BackupOutcome = z.infer<typeof backupOutcomeSchema>;

export const BACKUP_PATH = '/backup';
/** Covers a large database on a slow disk. */
export const BACKUP_LIMIT_MS = 1_800_000;

export type BackupParts = Omit<BackupOptions, 'file' | 'nowMs'>;

export function backupCommand(parts: BackupParts): (body: unknown) => Promise<BackupOutcome> {
  return (body) => backupTo(requestSchema.parse(body).file, parts);
}

/** @throws Error of the file system or the database */
export async function backupTo(file: string, parts: BackupParts): Promise<BackupOutcome> {
  try {
    return { kind: 'made', ...(await makeBackup({ ...parts, file, nowMs: Date.now() })) };
  } catch (error) {
    if (error instanceof BackupRefused) return { kind: 'refused', message: error.message };
    throw error;
  }
}
