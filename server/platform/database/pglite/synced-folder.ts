/** A database folder whose files are all on the disk, including those that PGlite copies there unsynced at its first start. */
import { close, existsSync, fsync, open, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const openFile = promisify<string, string, number>(open);
const sync = promisify(fsync);
const closeFile = promisify(close);

/** The disk does syncs that are requested together in one go. */
const CONCURRENT_SYNCS = 16;

/** Beside the folder. While it exists, the folder is incomplete and holds nothing that was acknowledged. */
const markerOf = (folder: string): string => `${folder}.unfinished`;

export function hasDatabase(folder: string): boolean {
  return existsSync(join(folder, 'PG_VERSION'));
}

/** Deletes a folder whose creation a power cut ended. */
export function removeUnfinished(folder: string): void {
  if (!existsSync(markerOf(folder))) return;
  rmSync(folder, { recursive: true, force: true });
  rmSync(markerOf(folder), { force: true });
}

export async function markUnfinished(folder: string): Promise<void> {
  writeFileSync(markerOf(folder), '');
  await syncFile(markerOf(folder));
  await syncFile(dirname(folder));
}

/** Every file first, and then the marker: without the marker, the folder is complete. */
export async function markFinished(folder: string): Promise<void> {
  await syncFolder(folder);
  await syncFile(dirname(folder));
  await syncFile(dirname(dirname(folder)));
  rmSync(markerOf(folder));
  await syncFile(dirname(folder));
}

/** Beside the folder, while only durable starts have written to it. A start without it takes seconds longer. */
const syncedMarkerOf = (folder: string): string => `${folder}.synced`;

/**
 * Syncs every file, unless only durable starts wrote them: an earlier version, a copy or `DURABLE=off` may have left some
 * in memory. After a crash PostgreSQL does the same automatically.
 */
export async function makeSynced(folder: string): Promise<void> {
  if (isSyncedAlready(folder)) return;
  await syncFolder(folder);
  noteSynced(folder);
}

export function noteSynced(folder: string): void {
  writeFileSync(syncedMarkerOf(folder), identityOf(folder));
}

/** Before a start that does not sync. */
export function noteUnsynced(folder: string): void {
  rmSync(syncedMarkerOf(folder), { force: true });
}

function isSyncedAlready(folder: string): boolean {
  const marker = syncedMarkerOf(folder);
  return existsSync(marker) && readFileSync(marker, 'utf8') === identityOf(folder);
}

/** A copy has another one. */
function identityOf(folder: string): string {
  const { ino, birthtimeMs } = statSync(folder);
  return `${ino} ${birthtimeMs}`;
}

async function syncFolder(folder: string): Promise<void> {
  const paths = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  const syncNext = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) await syncFile(path);
  };
  await Promise.all(Array.from({ length: CONCURRENT_SYNCS }, syncNext));
  await syncFile(folder);
}

async function syncFile(path: string): Promise<void> {
  const file = await openFile(path, 'r');
  try {
    await sync(file);
  } finally {
    await closeFile(file);
  }
}
