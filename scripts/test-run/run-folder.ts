/** One folder for the temporary files of a test run: databases, data folders, the browser's shared memory. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAILURES } from '../../tests/support/failures/failures-folder.ts';

/** On Linux a file system in memory: writing the same files to a disk takes a tenth more processor time. */
const MEMORY_FOLDER = '/dev/shm';
const GIB = 1024 ** 3;
/** The files of a whole run, with room to spare, and what its processes need beside them. */
const NEEDED = { folderBytes: 3 * GIB, memoryBytes: 8 * GIB };

export interface Room {
  /** How the file system in memory is mounted (proc(5)). null: there is none. */
  mount: string | null;
  /** Its free bytes. */
  folderBytes: number;
  /** Memory that this process and others may still take. */
  memoryBytes: number;
}

export interface RunFolder {
  path: string;
  remove(): void;
}

/**
 * Creates the folder, in memory if there is room, and makes it the temporary folder of this process and of everything
 * that it starts. A `TMPDIR` that is set already is used. Servers that run under another account can read the folder.
 * Folders that killed runs left beside it are removed.
 */
export function openRunFolder(): RunFolder {
  const parent = process.env.TMPDIR ?? (hasRoom(readRoom()) ? MEMORY_FOLDER : tmpdir());
  removeLeftFolders(parent);
  const path = mkdtempSync(join(parent, `kat-run-${process.pid}-`));
  chmodSync(path, 0o755);
  process.env.TMPDIR = path;
  return { path, remove: () => removeFolder(path) };
}

/** What failed tests left stays, and the output says where. */
function removeFolder(path: string): void {
  const hasFailures = existsSync(join(path, FAILURES));
  const names = hasFailures ? readdirSync(path).filter((name) => name !== FAILURES) : ['.'];
  for (const name of names) rmSync(join(path, name), { recursive: true, force: true });
  if (hasFailures) console.log(`pages, logs and screenshots of failed tests: ${join(path, FAILURES)}`);
}

/** The name tells the process. Without /proc nothing is known of it, so nothing is removed. */
function removeLeftFolders(parent: string): void {
  if (!existsSync('/proc/self')) return;
  for (const name of readdirSync(parent)) {
    const pid = /^kat-run-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Another user's, which this run does not need deleted.
    }
  }
}

/** Libraries that processes load before others are built in the folder, so code in it must be allowed to run. */
export function hasRoom({ mount, folderBytes, memoryBytes }: Room): boolean {
  if (mount === null || mount.split(',').includes('noexec')) return false;
  return folderBytes >= NEEDED.folderBytes && memoryBytes >= NEEDED.memoryBytes;
}

function readRoom(): Room {
  const memoryBytes = process.availableMemory();
  const mount = readMount(MEMORY_FOLDER);
  if (mount === null) return { mount, folderBytes: 0, memoryBytes };
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return { mount, folderBytes: bavail * bsize, memoryBytes };
}

/** @returns options of the mount, `rw,nosuid`; null if nothing is mounted there or the system has no /proc */
function readMount(folder: string): string | null {
  try {
    const lines = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    return lines.map((line) => line.split(' ')).findLast(([, place]) => place === folder)?.[3] ?? null;
  } catch {
    // Another system than Linux.
    return null;
  }
}
