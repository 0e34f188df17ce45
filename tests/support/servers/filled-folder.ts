/** A server's data folder, begun from one that was prepared (prepared-folders.ts). */
import { cpSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder of prepared folders. */
export const PREPARED_FOLDERS = 'KAT_PREPARED_FOLDERS';

/** Fills an empty folder as such a start would; leaves it empty where none was prepared. */
export function fillDataFolder(dataDir: string, args: readonly string[]): void {
  const root = process.env[PREPARED_FOLDERS];
  if (root === undefined) return;
  cpSync(join(root, args.includes('--demo') ? 'demo' : 'plain'), dataDir, { recursive: true });
}
