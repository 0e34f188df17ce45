/** A server's data folder, copied from a prepared one (prepared-folders.ts). */
import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** Environment variable with the folder of prepared folders. */
export const PREPARED_FOLDERS = 'KAT_PREPARED_FOLDERS';

/** Fills an empty folder as a first start with these arguments would; leaves it empty if none was prepared. */
export function fillDataFolder(dataDir: string, args: readonly string[]): void {
  const root = process.env[PREPARED_FOLDERS];
  if (root === undefined) return;
  cpSync(join(root, args.includes('--demo') ? 'demo' : 'plain'), dataDir, { recursive: true });
}
