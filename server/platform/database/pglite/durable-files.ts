/**
 * PGlite's files on a disk that may lose power. PostgreSQL requests every sync that it needs, but PGlite's own files
 * ignore them. Here they reach the disk. Only a commit's sync of the log is left to the main thread, which does one for
 * many commits (wal-sync.ts). Until then nothing else may change on the disk: docs/decisions/051-embedded-database.md.
 */
import { fdatasyncSync, fsyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { isSegmentName, isSynced, recordSynced, requestedOf, requestSync, type WalProgress } from './wal-progress.ts';

interface FileNode {
  name: string;
  parent: FileNode;
}

interface FileStream {
  node: FileNode;
  /** The descriptor in Node. */
  nfd: number;
}

/** The part of Emscripten's file system that is changed here. */
export interface NodeFiles {
  stream_ops: {
    fsync?: (stream: FileStream) => number;
    close(stream: FileStream): void;
    write(stream: FileStream, buffer: Int8Array, offset: number, length: number, position: number): number;
    setattr(stream: FileStream, attributes: FileAttributes): void;
  };
  node_ops: {
    setattr(node: FileNode, attributes: FileAttributes): void;
    rename(node: FileNode, folder: FileNode, name: string): void;
    unlink(folder: FileNode, name: string): void;
    rmdir(folder: FileNode, name: string): void;
  };
}

interface FileAttributes {
  size?: number;
}

type StartOptions = Parameters<NodeFS['init']>[1];

/** PGlite starts PostgreSQL with fsync off, and its Emscripten build passes only `fsync` on to the files. */
export function durableStart(startParams: readonly string[]): string[] {
  return [...startParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

export class DurableFiles extends NodeFS {
  /** While a new folder is filled, nothing is synced: all of it is at its end. */
  isComplete = true;
  readonly #progress: WalProgress;
  readonly #onFailed: (error: unknown) => void;

  /** @param onFailed  called when a sync fails: what is on the disk is then unknown, so it must end the thread */
  constructor(folder: string, progress: WalProgress, onFailed: (error: unknown) => void) {
    super(folder);
    this.#progress = progress;
    this.#onFailed = onFailed;
  }

  override async init(database: PGlite, options: StartOptions): Promise<{ emscriptenOpts: StartOptions }> {
    const { emscriptenOpts } = await super.init(database, options);
    const preRun = [
      ...(emscriptenOpts.preRun ?? []),
      (module: { FS: unknown }) => {
        const { filesystems } = module.FS as { filesystems: { NODEFS: NodeFiles } };
        addSyncs(filesystems.NODEFS, this.#progress, this.#onFailed, () => this.isComplete);
      },
    ];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

/** Exported for its test. */
export function addSyncs(
  files: NodeFiles,
  progress: WalProgress,
  onFailed: (error: unknown) => void,
  isComplete: () => boolean,
): void {
  const streams = files.stream_ops;
  const nodes = files.node_ops;
  /** The segment that the pending requests name. */
  let segment: FileStream | null = null;

  function sync(work: () => void): void {
    try {
      work();
    } catch (error) {
      onFailed(error);
      throw error;
    }
  }

  const isPending = () => segment !== null && !isSynced(progress, requestedOf(progress));

  function syncLog(): void {
    const request = requestedOf(progress);
    if (segment === null || isSynced(progress, request)) return;
    const { nfd } = segment;
    sync(() => fdatasyncSync(nfd));
    recordSynced(progress, request);
  }

  streams.fsync = (stream) => {
    if (!isComplete()) return 0;
    if (!isSegment(stream)) {
      syncLog();
      sync(() => fsyncSync(stream.nfd));
      return 0;
    }
    if (segment?.nfd !== stream.nfd) syncLog();
    segment = stream;
    requestSync(progress, stream.node.name);
    return 0;
  };

  const { close, write } = streams;
  streams.close = (stream) => {
    if (segment?.nfd === stream.nfd) {
      syncLog();
      segment = null;
    }
    close(stream);
  };
  streams.write = (stream, buffer, offset, length, position) => {
    if (!isOfLog(stream) && isPending() && !isEmptyPage(buffer, offset, length)) syncLog();
    return write(stream, buffer, offset, length, position);
  };

  const setStream = streams.setattr;
  streams.setattr = (stream, attributes) => {
    if (attributes.size !== undefined) syncLog();
    setStream(stream, attributes);
  };
  const { setattr, rename, unlink, rmdir } = nodes;
  nodes.setattr = (node, attributes) => {
    if (attributes.size !== undefined) syncLog();
    setattr(node, attributes);
  };
  nodes.rename = (node, folder, name) => {
    syncLog();
    rename(node, folder, name);
  };
  nodes.unlink = (folder, name) => {
    syncLog();
    unlink(folder, name);
  };
  nodes.rmdir = (folder, name) => {
    syncLog();
    rmdir(folder, name);
  };
}

function isOfLog({ node }: FileStream): boolean {
  return node.parent.name === 'pg_wal';
}

function isSegment(stream: FileStream): boolean {
  return isOfLog(stream) && isSegmentName(stream.node.name);
}

/** PostgreSQL extends a table by empty pages, which mean nothing without the log. */
function isEmptyPage(buffer: Int8Array, offset: number, length: number): boolean {
  return buffer.subarray(offset, offset + length).every((byte) => byte === 0);
}
