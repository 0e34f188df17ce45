/**
 * Waits until the log of what a caller wrote or read is on the disk. One sync covers every commit before its start, and
 * PGlite works on meanwhile, so many writers share the cost of one.
 */
import { close, fdatasync, open } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasErrorCode } from '../../error-code.ts';
import { isSynced, recordSynced, requestedOf, segmentOf, type WalProgress } from './wal-progress.ts';

const openFile = promisify<string, string, number>(open);
const syncData = promisify(fdatasync);
const closeFile = promisify(close);

export interface WalSync {
  /**
   * Resolves when everything committed so far is on the disk. Readers wait too: their answer may rest on a commit that
   * a power cut would still undo. @throws the error of a sync; from then on every call fails until `restart`
   */
  settle(): Promise<void>;
  /** After the folder was synced and reopened. */
  restart(): void;
  close(): Promise<void>;
}

export interface WalSyncOptions {
  progress: WalProgress;
  /** The folder of the log's segments. */
  logDir: string;
  /** Called once per failure: the folder must then be reopened. */
  onFailed: (error: unknown) => void;
  /** Of a file's content. Default: the system's. */
  sync?: (file: number) => Promise<void>;
}

export function walSync({ progress, logDir, onFailed, sync = syncData }: WalSyncOptions): WalSync {
  let running: Promise<void> | null = null;
  let segment: { name: string; file: number } | null = null;
  let failure: { error: unknown } | null = null;

  async function settle(): Promise<void> {
    refuseAfterFailure();
    const request = requestedOf(progress);
    while (!isSynced(progress, request)) {
      running ??= syncOnce().finally(() => {
        running = null;
      });
      await running;
      refuseAfterFailure();
    }
  }

  function refuseAfterFailure(): void {
    if (failure !== null) throw failure.error;
  }

  async function syncOnce(): Promise<void> {
    const request = requestedOf(progress);
    const name = segmentOf(progress);
    try {
      const file = await openSegment(name);
      // A segment that was replaced was synced by the database thread before PostgreSQL replaced it.
      if (file === null) return;
      await sync(file);
      recordSynced(progress, request);
    } catch (error) {
      if (failure === null) onFailed(error);
      failure ??= { error };
      throw error;
    }
  }

  async function openSegment(name: string): Promise<number | null> {
    if (segment?.name === name) return segment.file;
    await closeSegment();
    try {
      const file = await openFile(join(logDir, name), 'r+');
      segment = { name, file };
      return file;
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT') && segmentOf(progress) !== name) return null;
      throw error;
    }
  }

  async function closeSegment(): Promise<void> {
    const old = segment;
    segment = null;
    if (old !== null) await closeFile(old.file);
  }

  return {
    settle,
    restart() {
      failure = null;
    },
    async close() {
      await running?.catch(() => {});
      await closeSegment();
    },
  };
}
