/** A database folder whose files are all on the disk, including those that PGlite copies there unsynced at its first start. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

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

export function markUnfinished(folder: string): void {
  writeFileSync(markerOf(folder), '');
  syncFile(markerOf(folder));
  syncFile(dirname(folder));
}

/** Every file first, and then the marker: without the marker, the folder is complete. */
export function markFinished(folder: string): void {
  syncFolder(folder);
  syncFile(dirname(folder));
  syncFile(dirname(dirname(folder)));
  rmSync(markerOf(folder));
  syncFile(dirname(folder));
}

/** Beside the folder, while only durable starts have written to it. A start without it takes seconds longer. */
const syncedMarkerOf = (folder: string): string => `${folder}.synced`;

/**
 * Syncs every file, unless only durable starts wrote them: an earlier version, a copy or `DURABLE=off` may have left some
 * in memory. After a crash PostgreSQL does the same automatically.
 */
export function makeSynced(folder: string): void {
  if (isSyncedAlready(folder)) return;
  syncFolder(folder);
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

function syncFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile() || entry.isDirectory()) syncFile(join(entry.parentPath, entry.name));
  syncFile(folder);
}

function syncFile(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
