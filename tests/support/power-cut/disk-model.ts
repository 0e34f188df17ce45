/**
 * What a power cut leaves on a disk. A write survives for sure once a sync of its file covered it; a name or a removal,
 * once a sync of its folder did. A sync of a new file also covers its name, as in ext4, XFS and btrfs: PostgreSQL relies
 * on that for its tables. Of everything later any part may survive: some pages without others, and some sectors of a page.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JournalEntry } from './file-journal.ts';

export interface Cut {
  /** Up to the cut. */
  entries: readonly JournalEntry[];
  /** Between 0 and 1, one for each decision. */
  random: () => number;
}

interface FileOnDisk {
  isFolder: boolean;
  /** As of the last sync. */
  content: Buffer;
  pending: Change[];
}

type Change = { at: number; bytes: Uint8Array } | { size: number };

interface NameChange {
  paths: readonly string[];
  /** The file that got a name; null for a removal. */
  file: FileOnDisk | null;
  apply: (names: Names) => unknown;
}

/** Null: removed. */
type Names = Map<string, FileOnDisk | null>;

/** As the kernel writes them back, and as the disk does. */
const PAGE_BYTES = 4096;
const SECTOR_BYTES = 512;
/** One cut in three loses everything that was not synced, as an idle disk without power does. */
const ALL_LOST_SHARE = 1 / 3;
const SURVIVING_SHARE = 0.5;
const TORN_SHARE = 0.2;

/**
 * The files at the recorded paths must be those from before the process started. They become what a power cut after the
 * last entry would leave.
 */
export function leaveSurvivors({ entries, random }: Cut): void {
  /** As the process sees them, and as they are on the disk. */
  const seen: Names = new Map();
  const durable: Names = new Map();
  const byInode = new Map<number, FileOnDisk>();
  const folderPaths = new Map<FileOnDisk, string>();
  const begun = new Map<string, { change: Change | undefined; names: ReadonlySet<NameChange> }>();
  let nameChanges: NameChange[] = [];

  function fileAt(path: string): FileOnDisk {
    const known = seen.get(path);
    if (known) return known;
    const isFolder = statSync(path).isDirectory();
    const file: FileOnDisk = { isFolder, content: isFolder ? Buffer.alloc(0) : readFileSync(path), pending: [] };
    seen.set(path, file);
    durable.set(path, file);
    if (isFolder) folderPaths.set(file, path);
    return file;
  }

  function changeNames(change: NameChange): void {
    change.apply(seen);
    nameChanges.push(change);
  }

  function create(path: string, inode: number, isFolder: boolean): void {
    const file: FileOnDisk = { isFolder, content: Buffer.alloc(0), pending: [] };
    byInode.set(inode, file);
    if (isFolder) folderPaths.set(file, path);
    changeNames({ paths: [path], file, apply: (names) => names.set(path, file) });
  }

  function endSync(file: FileOnDisk, id: string): void {
    const covered = begun.get(id);
    begun.delete(id);
    if (covered?.change !== undefined) {
      const until = file.pending.indexOf(covered.change);
      for (const change of file.pending.splice(0, until + 1)) file.content = changed(file.content, change);
    }
    if (covered === undefined) return;
    const folder = folderPaths.get(file);
    const own = new Set(nameChanges.flatMap((change) => (change.file === file ? change.paths : [])));
    nameChanges = nameChanges.filter((change) => {
      const { paths } = change;
      const isCovered = covered.names.has(change) && paths.some((path) => own.has(path) || dirname(path) === folder);
      if (isCovered) change.apply(durable);
      return !isCovered;
    });
  }

  for (const { record, data } of entries) {
    if (record.op === 'acknowledge') continue;
    if (record.op === 'open') byInode.set(record.inode, fileAt(record.path));
    else if (record.op === 'create') create(record.path, record.inode, false);
    else if (record.op === 'folder') create(record.path, record.inode, true);
    else if (record.op === 'rename') {
      const file = fileAt(record.path);
      const apply = (names: Names) => names.set(record.path, null).set(record.to, file);
      changeNames({ paths: [record.path, record.to], file, apply });
    } else if (record.op === 'remove') {
      if (existsSync(record.path) || seen.has(record.path))
        changeNames({ paths: [record.path], file: null, apply: (names) => names.set(record.path, null) });
    } else {
      const file = byInode.get(record.inode);
      if (file === undefined) throw new Error(`The journal changes inode ${record.inode} before it is opened`);
      if (record.op === 'write') file.pending.push({ at: record.at, bytes: data });
      else if (record.op === 'resize') file.pending.push({ size: record.size });
      else if (record.op === 'sync-begin')
        begun.set(record.id, { change: file.pending.at(-1), names: new Set(nameChanges) });
      else endSync(file, record.id);
    }
  }

  if (random() >= ALL_LOST_SHARE) {
    for (const { apply } of survivingNames(nameChanges, random)) apply(durable);
    for (const file of new Set(durable.values()))
      if (file !== null)
        for (const change of survivingChanges(file.pending, random)) file.content = changed(file.content, change);
  }
  writeDown(durable);
}

/** A journaling file system keeps the order of the changes within a folder. */
function survivingNames(changes: readonly NameChange[], random: () => number): NameChange[] {
  const stopped = new Set<string>();
  return changes.filter(({ paths }) => {
    const folders = paths.map((path) => dirname(path));
    for (const folder of folders) if (random() > SURVIVING_SHARE) stopped.add(folder);
    return !folders.some((folder) => stopped.has(folder));
  });
}

function survivingChanges(changes: readonly Change[], random: () => number): Change[] {
  return changes.flatMap((change): Change[] => {
    if ('size' in change) return random() < SURVIVING_SHARE ? [change] : [];
    return pieces(change.at, change.bytes, PAGE_BYTES).flatMap((page) => {
      if (random() > SURVIVING_SHARE) return [];
      if (random() > TORN_SHARE) return [page];
      return pieces(page.at, page.bytes, SECTOR_BYTES).filter(() => random() < SURVIVING_SHARE);
    });
  });
}

function pieces(at: number, bytes: Uint8Array, size: number): { at: number; bytes: Uint8Array }[] {
  const found: { at: number; bytes: Uint8Array }[] = [];
  for (let from = 0; from < bytes.length; ) {
    const until = Math.min(bytes.length, from + size - ((at + from) % size));
    found.push({ at: at + from, bytes: bytes.subarray(from, until) });
    from = until;
  }
  return found;
}

function changed(content: Buffer, change: Change): Buffer {
  if ('size' in change) return resized(content, change.size);
  const end = change.at + change.bytes.length;
  const wide = end > content.length ? resized(content, end) : content;
  wide.set(change.bytes, change.at);
  return wide;
}

function resized(content: Buffer, size: number): Buffer {
  if (size <= content.length) return content.subarray(0, size);
  return Buffer.concat([content, Buffer.alloc(size - content.length)]);
}

/** Folders before what they hold; removals first, because a name may have moved. */
function writeDown(durable: Names): void {
  const sorted = [...durable].sort(([a], [b]) => a.length - b.length);
  for (const [path, file] of sorted) if (file === null) rmSync(path, { recursive: true, force: true });
  for (const [path, file] of sorted) {
    if (file === null) continue;
    // The folder of a synced file may itself be lost; then so is the file.
    if (!existsSync(dirname(path))) continue;
    if (file.isFolder) mkdirSync(path, { recursive: true });
    else writeFileSync(path, file.content);
  }
}
