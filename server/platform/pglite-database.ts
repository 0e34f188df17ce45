/**
 * PGlite as a Database: a thread, a socket, one session. PGlite obeys neither statement_timeout nor cancel, so a
 * watchdog here ends the thread when a statement takes too long, reopens the folder and refuses who waited.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataLock, lockDataFolder } from './data-lock.ts';
import type { Database } from './database.ts';
import type { Logger } from './log.ts';
import { notificationHub } from './notification-hub.ts';
import { type PgliteThread, startPgliteThread } from './pglite-thread.ts';
import type { WorkerOrder } from './pglite-worker.ts';
import { sessionDatabase } from './session-database.ts';
import { sessionPool } from './session-pool.ts';
import { unavailable } from './sql-errors.ts';
import { openSession, type SqlSession } from './sql-session.ts';

export interface PgliteOptions {
  /** The product's data folder; `:memory:` for none. */
  dataDir: string;
  clockOffsetMs: () => number;
  log: Logger;
  statementLimitMs: number;
  maxWaitMs: number;
  /** A file of `dump()`, to start a new folder from. */
  dumpFile?: string;
  extensions?: WorkerOrder['extensions'];
}

export interface PgliteDatabase extends Database {
  readonly kind: 'pglite';
  /** The whole folder as a tar file's bytes, for backups and test templates. Holds up everyone while it runs. */
  dump(): Promise<Uint8Array>;
  /** Ends the thread where it stands, as a crash would. For tests of recovery. */
  crash(): Promise<void>;
}

export const IN_MEMORY = ':memory:';

/** @throws DataFolderInUse; Error when the folder cannot be opened */
export async function openPgliteDatabase(options: PgliteOptions): Promise<PgliteDatabase> {
  const { log } = options;
  const isInMemory = options.dataDir === IN_MEMORY;
  // The system's temporary folder, since a socket's path may have at most 107 bytes.
  const socketDir = mkdtempSync(join(tmpdir(), 'kat-db-'));
  let lock: DataLock | null = null;
  let generation = 0;
  let isClosed = false;
  /** The thread that serves now, or the one being started. Rejected when it could not start: the next request tries again. */
  let thread: Promise<PgliteThread>;

  function cleanUp(): void {
    lock?.release();
    rmSync(socketDir, { recursive: true, force: true });
  }

  function start(): Promise<PgliteThread> {
    generation += 1;
    const order = {
      databaseDir: isInMemory ? null : join(options.dataDir, 'database'),
      // A folder that lives goes before the dump; memory can only start from it again.
      dumpFile: generation === 1 || isInMemory ? (options.dumpFile ?? null) : null,
      extensions: options.extensions ?? {},
    };
    const started = startPgliteThread(order, socketDir, `db-${generation}`, log);
    started.then(
      (running) => running.gone.then(() => onGone(running)),
      (error: unknown) => log.error({ err: error }, 'the database could not be opened'),
    );
    return started;
  }

  /** Ended by itself or by us: whoever waited is refused, then the folder is opened again. */
  function onGone(ended: PgliteThread): void {
    if (isClosed) return;
    log.warn({ generation }, 'the database thread ended and is started again');
    rmSync(ended.socketPath, { force: true });
    pool.refuseWaiting(unavailable());
    thread = start();
  }

  async function open(): Promise<SqlSession> {
    let running: PgliteThread;
    try {
      running = await thread;
    } catch (error) {
      if (!isClosed) thread = start();
      throw unavailable(error);
    }
    const session = await openSession(
      { socketPath: running.socketPath },
      { onBroken: () => void running.kill(), onNotify: hub.deliver },
    );
    await hub.listenAgain(session);
    return session;
  }

  const pool = sessionPool({ size: 1, maxWaitMs: options.maxWaitMs, open });
  const hub = notificationHub((work) => pool.use(work));
  const statements = sessionDatabase({
    pool,
    clockOffsetMs: options.clockOffsetMs,
    statementLimitMs: options.statementLimitMs,
    watchdogSlackMs: 0,
    onStuck: () => {
      log.warn({ limitMs: options.statementLimitMs }, 'a statement passed its time limit');
      void thread.then((running) => running.kill());
    },
  });

  try {
    if (!isInMemory) lock = lockDataFolder(options.dataDir, socketDir);
    thread = start();
    await thread;
  } catch (error) {
    isClosed = true;
    cleanUp();
    throw error;
  }

  return {
    kind: 'pglite',
    ...statements,
    listen: hub.listen,
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
