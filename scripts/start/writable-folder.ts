/** Whether a folder can be filled, checked before a start writes anything. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SettingsRefused } from '../../server/platform/config/config.ts';

/** A new embedded database has 45 MB, and more while it is created. */
const NEW_DATA_MB = 150;

/** @param folder  may not exist yet */
export function isWritable(folder: string): boolean {
  try {
    const existing = nearestExisting(folder);
    accessSync(existing, constants.W_OK);
    return statSync(existing).isDirectory();
  } catch {
    return false;
  }
}

/** @throws SettingsRefused that names the folder and another way */
export function requireDataDir(dataDir: string, freeMb: (folder: string) => number = freeMbOf): void {
  const instead = 'Start with another folder: DATA_DIR=FOLDER npm start';
  if (!isWritable(dataDir))
    throw new SettingsRefused(`The data folder ${dataDir} cannot be written by this user. ${instead}`);
  if (existsSync(join(dataDir, 'database'))) return;
  const free = freeMb(nearestExisting(dataDir));
  if (free < NEW_DATA_MB)
    throw new SettingsRefused(
      `A new data folder needs ${NEW_DATA_MB} MB, and the disk of ${dataDir} has ${free} MB left. Free some space. ${instead}`,
    );
}

function freeMbOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 1e6);
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}
