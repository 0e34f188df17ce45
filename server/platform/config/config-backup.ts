import { relative, resolve } from 'node:path';
import * as z from 'zod/mini';
import type { Refuse } from './setting-values.ts';

export const BACKUP_FIELDS = {
  /** Folder for one backup a day. Without it, no backups are made. */
  BACKUP_DIR: z.optional(z.string().check(z.minLength(1))),
  BACKUP_KEEP: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(1000)), 7),
};

export interface BackupSettings {
  dir: string;
  retained: number;
}

const fieldsSchema = z.object(BACKUP_FIELDS);

/** @returns null when backups are not scheduled */
export function toBackupSettings(
  { BACKUP_DIR: folder, BACKUP_KEEP: retained }: z.output<typeof fieldsSchema>,
  site: { dataDir: string; isHosted: boolean },
  refuse: Refuse,
): BackupSettings | null {
  if (folder === undefined) return null;
  if (site.isHosted) refuse('BACKUP_DIR isn’t supported with a hosted project, which makes its own backups.');
  const dir = resolve(folder);
  const way = relative(site.dataDir, dir);
  if (!way.startsWith('..') && resolve(way) !== way)
    refuse('BACKUP_DIR must be outside DATA_DIR, so that both are not lost together.');
  return { dir, retained };
}
