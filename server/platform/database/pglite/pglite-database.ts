/**
 * PGlite as a Database: a thread, a socket, one session. PGlite obeys neither statement_timeout nor cancel, so a
 * watchdog here ends the thread when a statement takes too long, reopens the folder and refuses who waited.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../telemetry/log.ts';
import type { Database } from '../database.ts';
import { notificationHub } from '../notification-hub.ts';
import { type Pooled, sessionPool } from '../postgres/session-pool.ts';
import { sessionDatabase } from '../session-database.ts';
import { unavailable } from '../sql/sql-errors.ts';
import { openSession, type SqlSession } from '../sql/sql-session.ts';
import { type DataLock, lockDataFolder } from './data-lock.ts';
import { type PgliteThread, startPgliteThread } from './pglite-thread.ts';
import { type Vacuumed, vacuumOver } from './pglite-vacuum.ts';
import type { WorkerOrder } from './pglite-worker.ts';

export interface PgliteOptions {
  /** The product's data folder; `:memory:` for none. */
  dataDir: string;
  clockOffsetMs: () => number;
  log: Logger;
  statementLimitMs: number;
  /** Of visitors and users; PGlite obeys none and has the watchdog alone. */
  callerLimitMs: number;
  maxWaitMs: number;
  /** A file of `dump()`, to start a new folder from. */
  dumpFile?: string;
  extensions?: WorkerOrder['extensions'];
}

export interface PgliteDatabase extends Database, Pooled, Vacuumed {
  readonly kind: 'pglite';
  /** The whole folder as a tar file's bytes, for backups and test templates. Holds up everyone while it runs. */
  dump(): Promise<Uint8Array>;
  /** Ends the thread where it stands, as a crash would. For tests of recovery. */
  crash(): Promise<void>;
}

export const IN_MEMORY = ':memory:';

/** A folder that could not be opened (a full disk) is left alone for this long: each try costs a second of a processor. */
const REOPEN_PAUSE_MS = 2000;

/** @throws DataFolderInUse; Error when the folder cannot be opened */
export async function openPgliteDatabase(options: PgliteOptions): Promise<PgliteDatabase> {
  const { log } = options;
  const isInMemory = options.dataDir === IN_MEMORY;
  // The system's temporary folder, since a socket's path may have at most 107 bytes.
  const socketDir = mkdtempSync(join(tmpdir(), 'kat-db-'));
  let lock: DataLock | null = null;
  let generation = 0;
  let isClosed = false;
  let current: PgliteThread | null = null;
  /** Monotonic milliseconds. */
  let reopenAtMs = 0;
  /** The thread that serves, or the one being started. Rejected when it could not start: a later request tries again. */
  let thread: Promise<PgliteThread>;

  function cleanUp(): void {
    lock?.release();
    rmSync(socketDir, { recursive: true, force: true });
  }

  async function start(): Promise<PgliteThread> {
    generation += 1;
    const order = {
      databaseDir: isInMemory ? null : join(options.dataDir, 'database'),
      dumpFile: options.dumpFile ?? null,
      extensions: options.extensions ?? {},
    };
    try {
      const started = await startPgliteThread(order, socketDir, `db-${generation}`, log);
      void started.gone.then(() => startAgain(started));
      return started;
    } catch (error) {
      reopenAtMs = performance.now() + REOPEN_PAUSE_MS;
      const freeMiB = isInMemory ? null : await freeMiBOf(options.dataDir);
      log.error({ err: error, freeMiB }, 'the database could not be opened');
      throw error;
    }
  }

  /** Ends a thread that hangs or died, refuses whoever waited for it, and opens the folder again. Once a thread. */
  function startAgain(ended: PgliteThread): void {
    if (isClosed || current !== ended) return;
    current = null;
    log.warn('the database thread ended and is started again');
    pool.refuseWaiting(unavailable());
    thread = ended.kill().then(() => {
      rmSync(ended.socketPath, { force: true });
      return open();
    });
    // Whoever asks next is told; nobody may be asking.
    thread.catch(() => {});
  }

  async function open(): Promise<PgliteThread> {
    const started = await start();
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
        { onBroken: () => startAgain(running), onNotify: hub.deliver },
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
  const statements = sessionDatabase({
    pool,
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
    listen: hub.listen,
    vacuum: vacuumOver(pool),
    // The one session is held meanwhile, so that no transaction is open in what is dumped.
    dump: () => pool.use(async () => (await thread).dump()),
    crash: async () => (await thread).kill(),
    async close() {
      if (isClosed) return;
      await pool.end();
      isClosed = true;
      await thread.then(
        (running) => running.close(),
        () => {}, // it never opened again: there is nothing to close
      );
      cleanUp();
    },
  };
}

/** A full disk is why a database most often does not open, and PGlite does not say so. */
async function freeMiBOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return Math.floor((bavail * bsize) / 2 ** 20);
  } catch {
    // The folder is gone: the error that is logged tells it.
    return null;
  }
}
