/**
 * Preloaded into every thread of a process (power-cut.ts): appends each change and each sync of the files under one
 * path to a journal. It sits below the product, at Node's file calls, so it sees what the product really requested.
 */
import fs, { type PathLike } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { threadId } from 'node:worker_threads';
import { encodeEntry, type FileRecord } from './file-journal.ts';

const root = process.env.RECORDED_FILES ?? '';
const journalPath = process.env.FILE_JOURNAL ?? '';
/** The planted bug: the log's syncs report success and do nothing. */
const losesSyncs = process.env.LOSES_SYNCS === '1';
const ACKNOWLEDGED = 'acknowledged';

if (root !== '' && journalPath !== '') record();

function record(): void {
  const real = { ...fs };
  const journal = real.openSync(journalPath, 'a');
  let syncs = 0;
  /** By descriptor; only files under the root. */
  const inodes = new Map<number, number>();
  const acknowledgements = new Set<number>();

  /** The folder, what is named after it beside it, and the folder that holds its name. */
  const isRecorded = (path: PathLike): boolean =>
    resolve(String(path)).startsWith(root) || resolve(String(path)) === dirname(root);
  const write = (entry: FileRecord, data?: Uint8Array): void => {
    real.writeSync(journal, encodeEntry(entry, data));
  };
  const inodeOf = (path: PathLike): number => real.statSync(path).ino;

  function noteOpened(path: PathLike, existed: boolean, file: number): void {
    if (basename(String(path)) === ACKNOWLEDGED) acknowledgements.add(file);
    if (!isRecorded(path)) return;
    const { ino: inode } = real.fstatSync(file);
    inodes.set(file, inode);
    write({ op: existed ? 'open' : 'create', path: resolve(String(path)), inode });
  }

  function noteContent(path: PathLike, existed: boolean, content: string | Uint8Array): void {
    const inode = inodeOf(path);
    write({ op: existed ? 'open' : 'create', path: resolve(String(path)), inode });
    if (existed) write({ op: 'resize', inode, size: 0 });
    const data = Buffer.from(content as string);
    if (data.length > 0) write({ op: 'write', inode, at: 0 }, data);
  }

  fs.openSync = ((path, flags, mode) => {
    const existed = real.existsSync(path);
    const file = real.openSync(path, flags, mode);
    noteOpened(path, existed, file);
    return file;
  }) as typeof fs.openSync;
  fs.open = ((path: PathLike, ...rest: unknown[]) => {
    const done = rest.pop() as (error: Error | null, file: number) => void;
    const [flags, mode] = rest as [string?, number?];
    const existed = real.existsSync(path);
    real.open(path, flags, mode, (error, file) => {
      if (error === null) noteOpened(path, existed, file);
      done(error, file);
    });
  }) as typeof fs.open;
  fs.closeSync = (file) => {
    inodes.delete(file);
    real.closeSync(file);
  };
  fs.close = ((file: number, done?: (error: Error | null) => void) => {
    inodes.delete(file);
    real.close(file, done);
  }) as typeof fs.close;
  fs.writeSync = ((
    file: number,
    buffer: Uint8Array | string,
    offset: number = 0,
    length?: number,
    position?: number,
  ) => {
    const bytes = typeof buffer === 'string' ? Buffer.from(buffer) : buffer;
    const written = real.writeSync(file, bytes, offset, length, position);
    if (acknowledgements.has(file)) write({ op: 'acknowledge' }, bytes);
    const inode = inodes.get(file);
    if (inode === undefined) return written;
    const data = new Uint8Array(bytes.buffer, bytes.byteOffset + offset, written);
    write({ op: 'write', inode, at: position ?? real.fstatSync(file).size - written }, data);
    return written;
  }) as typeof fs.writeSync;
  fs.writeFileSync = ((path, data, options) => {
    const existed = typeof path !== 'number' && real.existsSync(path);
    real.writeFileSync(path, data, options);
    if (typeof path !== 'number' && isRecorded(path)) noteContent(path, existed, data as string);
  }) as typeof fs.writeFileSync;
  fs.ftruncateSync = (file, size) => {
    real.ftruncateSync(file, size);
    const inode = inodes.get(file);
    if (inode !== undefined) write({ op: 'resize', inode, size: size ?? 0 });
  };
  fs.truncateSync = (path, size) => {
    real.truncateSync(path, size);
    if (!isRecorded(path)) return;
    const inode = inodeOf(path);
    write({ op: 'open', path: resolve(String(path)), inode });
    write({ op: 'resize', inode, size: size ?? 0 });
  };
  fs.renameSync = (from, to) => {
    real.renameSync(from, to);
    if (isRecorded(from)) write({ op: 'rename', path: resolve(String(from)), to: resolve(String(to)) });
  };
  fs.unlinkSync = removing(real.unlinkSync);
  fs.rmdirSync = removing(real.rmdirSync as (path: PathLike) => void);
  const rmSync = real.rmSync;
  fs.rmSync = (path, options) => {
    const existed = real.existsSync(path);
    rmSync(path, options);
    if (existed && isRecorded(path)) write({ op: 'remove', path: resolve(String(path)) });
  };
  fs.mkdirSync = ((path, options) => {
    const existed = real.existsSync(path);
    const first = real.mkdirSync(path, options);
    if (!existed && isRecorded(path)) write({ op: 'folder', path: resolve(String(path)), inode: inodeOf(path) });
    return first;
  }) as typeof fs.mkdirSync;

  function removing(remove: (path: PathLike) => void): (path: PathLike) => void {
    return (path) => {
      remove(path);
      if (isRecorded(path)) write({ op: 'remove', path: resolve(String(path)) });
    };
  }

  /** @returns what to call when the sync is over; null if it is not recorded */
  function beginSync(file: number): (() => void) | null {
    const inode = inodes.get(file);
    if (inode === undefined) return null;
    syncs += 1;
    const id = `${threadId}-${syncs}`;
    write({ op: 'sync-begin', inode, id });
    return () => write({ op: 'sync-end', inode, id });
  }
  const syncing = (sync: (file: number) => void) => (file: number) => {
    const end = beginSync(file);
    sync(file);
    end?.();
  };
  fs.fsyncSync = syncing(real.fsyncSync);
  fs.fdatasyncSync = syncing(real.fdatasyncSync);
  type SyncFile = (file: number, done: (error: Error | null) => void) => void;
  const syncingLater =
    (sync: SyncFile): SyncFile =>
    (file, done) => {
      const end = beginSync(file);
      sync(file, (error) => {
        if (error === null) end?.();
        done(error);
      });
    };
  fs.fsync = syncingLater(real.fsync) as typeof fs.fsync;
  fs.fdatasync = (
    losesSyncs ? (_file: number, done: (error: null) => void) => setImmediate(done, null) : syncingLater(real.fdatasync)
  ) as typeof fs.fdatasync;
  syncBuiltinESMExports();
}
