/**
 * PGlite as a Database: a thread, a socket, one session. PGlite ignores both statement_timeout and cancel. A watchdog
 * here therefore ends the thread when a statement takes too long, reopens the folder and refuses waiting callers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../telemetry/log.ts';
import type { Database } from '../database.ts';
import { notificationHub } from '../notification-hub.ts';
import { sessionDatabase } from '../session-database.ts';
import { type Pooled, sessionPool } from '../session-pool.ts';
import { unavailable } from '../sql/sql-errors.ts';
import { openSession, type SqlSession } from '../sql/sql-session.ts';
import { type DataLock, lockDataFolder } from './data-lock.ts';
import { type PgliteThread, startPgliteThread } from './pglite-thread.ts';
import { type Vacuumed, vacuumOver } from './pglite-vacuum.ts';
import type { WorkerOrder } from './pglite-worker.ts';
import { walProgress } from './wal-progress.ts';
import { type WalSync, walSync } from './wal-sync.ts';

export interface PgliteOptions {
  /** The product's data folder, or `:memory:` for none. */
  dataDir: string;
  /** An acknowledged write survives a power cut: docs/decisions/051-embedded-database.md. Default: false. */
  isDurable?: boolean;
  clockOffsetMs: () => number;
  log: Logger;
  statementLimitMs: number;
  /** The limit for visitors and users. PGlite ignores it, so only the watchdog applies. */
  callerLimitMs: number;
  maxWaitMs: number;
  /** A file made by `dump()`, from which a new folder starts. */
  dumpFile?: string;
  extensions?: WorkerOrder['extensions'];
}

export interface PgliteDatabase extends Database, Pooled, Vacuumed {
  readonly kind: 'pglite';
  /** The whole folder as bytes of a tar file, for backups and test templates. It blocks every caller while it runs. */
  dump(): Promise<Uint8Array>;
  crash(): Promise<void>;
}

export const IN_MEMORY = ':memory:';

/** Pause after a folder could not be opened (a full disk), because each attempt costs a second of CPU time. */
const REOPEN_PAUSE_MS = 2000;

/** @throws DataFolderInUse; Error when the folder cannot be opened */
export async function openPgliteDatabase(options: PgliteOptions): Promise<PgliteDatabase> {
  const { log } = options;
  const isInMemory = options.dataDir === IN_MEMORY;
  // The system's temporary folder, because a socket's path may have at most 107 bytes.
  const socketDir = mkdtempSync(join(tmpdir(), 'kat-db-'));
  const databaseDir = isInMemory ? null : join(options.dataDir, 'database');
  /** One for all threads: a caller of an ended thread waits for what that thread wrote. */
  const progress = databaseDir === null || options.isDurable !== true ? null : walProgress();
  const sync: WalSync | null =
    databaseDir === null || progress === null
      ? null
      : walSync({ progress, logDir: join(databaseDir, 'pg_wal'), onFailed: onLostSync });
  let lock: DataLock | null = null;
  let generation = 0;
  let isClosed = false;
  let current: PgliteThread | null = null;
  /** Monotonic milliseconds. */
  let reopenAtMs = 0;
  /** The thread in use, or the one being started. Rejected if it could not start; a later request then tries again. */
  let thread: Promise<PgliteThread>;

  function cleanUp(): void {
    lock?.release();
    rmSync(socketDir, { recursive: true, force: true });
  }

  async function start(): Promise<PgliteThread> {
    generation += 1;
    const order = {
      databaseDir,
      walProgress: progress,
      dumpFile: options.dumpFile ?? null,
      extensions: options.extensions ?? {},
    };
    try {
      const started = await startPgliteThread(order, socketDir, `db-${generation}`, log);
      void started.ended.then(() => startAgain(started));
      return started;
    } catch (error) {
      reopenAtMs = performance.now() + REOPEN_PAUSE_MS;
      const freeMiB = isInMemory ? null : await freeMiBOf(options.dataDir);
      log.error({ err: error, freeMiB }, 'the database could not be opened');
      throw error;
    }
  }

  /** Ends a thread that hangs or died, refuses waiting callers and reopens the folder. Runs once per thread. */
  function startAgain(ended: PgliteThread): void {
    if (isClosed || current !== ended) return;
    current = null;
    log.warn('the database thread ended and is being restarted');
    pool.refuseWaiting(unavailable());
    // Its socket may still report that it closed: the next caller must not write into it.
    pool.dropIdle();
    thread = ended.kill().then(() => {
      rmSync(ended.socketPath, { force: true });
      return open();
    });
    // The next caller gets the error; without a caller it must not become an unhandled rejection.
    thread.catch(() => {});
  }

  function onLostSync(error: unknown): void {
    log.error({ err: error }, 'the database could not sync its log');
    if (current) startAgain(current);
  }

  async function open(): Promise<PgliteThread> {
    const started = await start();
    sync?.restart();
    current = started;
    return started;
  }

  async function openOnThread(): Promise<SqlSession> {
    let running: PgliteThread;
    try {
      running = await thread;
    } catch (error) {
      if (!isClosed && performance.now() >= reopenAtMs) thread = open();
      throw unavailable(error);
    }
    try {
      const session = await openSession(
        { socketPath: running.socketPath },
        { onBroken: () => startAgain(running), onNotify: deliverSettled },
      );
      await hub.listenAgain(session);
      return session;
    } catch (error) {
      startAgain(running);
      throw error;
    }
  }

  const pool = sessionPool({ size: 1, maxWaitMs: options.maxWaitMs, open: openOnThread });
  const hub = notificationHub((work) => pool.use(work));
  /** In order, and each only when the commit that sent it is on the disk. A restart calls every listener anyway. */
  let delivered = Promise.resolve();
  function deliverSettled(channel: string, payload: string): void {
    if (sync === null) {
      hub.deliver(channel, payload);
      return;
    }
    delivered = delivered
      .then(sync.settle)
      .then(() => hub.deliver(channel, payload))
      .catch(() => {});
  }

  const statements = sessionDatabase({
    pool,
    ...(sync === null
      ? {}
      : { settle: () => sync.settle().catch((error: unknown) => Promise.reject(unavailable(error))) }),
    clockOffsetMs: options.clockOffsetMs,
    statementLimitMs: options.statementLimitMs,
    callerLimitMs: options.callerLimitMs,
    watchdogSlackMs: 0,
    onStuck: (statement) => {
      log.warn({ limitMs: options.statementLimitMs, statement }, 'a statement passed its time limit');
      if (current) startAgain(current);
    },
  });

  try {
    if (!isInMemory) lock = await lockDataFolder(options.dataDir, socketDir);
    thread = open();
    await thread;
  } catch (error) {
    isClosed = true;
    cleanUp();
    throw error;
  }

  return {
    kind: 'pglite',
    ...statements,
    pool: pool.state,
    onQueueMoved: pool.onQueueMoved,
    listen: hub.listen,
    vacuum: vacuumOver(pool),
    // Holds the only session, so that the dump contains no open transaction.
    dump: () => pool.use(async () => (await thread).dump()),
    crash: async () => (await thread).kill(),
    async close() {
      if (isClosed) return;
      await pool.end();
      isClosed = true;
      await thread.then(
        (running) => running.close(),
        () => {}, // it never reopened, so there is nothing to close
      );
      await sync?.close();
      cleanUp();
    },
  };
}

/** A full disk is the most common reason that a database does not open, and PGlite does not report it. */
async function freeMiBOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return Math.floor((bavail * bsize) / 2 ** 20);
  } catch {
    return null;
  }
}
