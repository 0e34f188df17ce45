/**
 * Test files of a process borrow its open databases in turn. A returned one is reset, or closed if its schema changed.
 */
import type { Database } from '../../../server/platform/database/database.ts';
import { unavailable } from '../../../server/platform/database/sql/sql-errors.ts';
import { type Baseline, baselineOf, type RunSql, restoreBaseline } from './database-baseline.ts';

/** Options of one borrower, independent of earlier borrowers. */
export interface BorrowOptions {
  /** Default: the real time. */
  clockOffsetMs?: () => number;
  /** Default 30 s: machines that run tests are slow, and the limit has its own test. */
  statementLimitMs?: number;
  /** For visitors and users. Default 30 s. */
  callerLimitMs?: number;
}

export interface Lendable {
  run: RunSql;
  /** Opens a borrower's handle. Closing the handle leaves the database open. */
  lend(options: BorrowOptions): Promise<Database>;
  destroy(): Promise<void>;
}

interface Lent extends Lendable {
  key: string;
  baseline: Baseline;
}

/** Both kinds, empty and with the tables of the tests of /rest/v1. A PGlite takes some 150 MB, and a second to open. */
const MOST_FREE = 4;

/** Free databases, the last returned at the end. */
const free: Lent[] = [];
let closesAtExit = false;

/** @param key  databases with the same key are interchangeable  @param open  called when none of them is free */
export async function borrowDatabase(
  key: string,
  open: () => Promise<Lendable>,
  options: BorrowOptions,
): Promise<Database> {
  if (!closesAtExit) closeFreeAtExit();
  const at = free.findLastIndex((one) => one.key === key);
  const lent = free.splice(at, at < 0 ? 0 : 1)[0] ?? (await openLent(key, open));
  const database = await lent.lend(options);
  let returning: Promise<void> | null = null;
  return {
    ...database,
    close() {
      returning ??= database.close().then(() => takeBack(lent));
      return returning;
    },
  };
}

async function openLent(key: string, open: () => Promise<Lendable>): Promise<Lent> {
  const lendable = await open();
  return { ...lendable, key, baseline: await baselineOf(lendable.run) };
}

async function takeBack(lent: Lent): Promise<void> {
  const isRestored = await restoreBaseline(lent.run, lent.baseline).catch(() => false);
  if (!isRestored) return lent.destroy();
  free.push(lent);
  if (free.length > MOST_FREE) await free.shift()?.destroy();
}

/** The runner ends its processes with SIGTERM, and half a second later with SIGKILL. */
function closeFreeAtExit(): void {
  closesAtExit = true;
  process.once('SIGTERM', async () => {
    await Promise.allSettled(free.map((one) => one.destroy()));
    process.kill(process.pid, 'SIGTERM');
  });
}

/** A handle on a database that stays open. Closing the handle waits for its work; after that it refuses everything. */
export function closable(shared: Database): Database {
  const running = new Set<Promise<unknown>>();
  const listening = new Set<() => Promise<void>>();
  let isClosed = false;

  async function counted<T>(start: () => Promise<T>): Promise<T> {
    if (isClosed) throw unavailable();
    const work = start();
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  return {
    ...shared,
    query: (caller, text, params, options) => counted(() => shared.query(caller, text, params, options)),
    transaction: (caller, work, options) => counted(() => shared.transaction(caller, work, options)),
    async listen(channel, handler) {
      const stop = await counted(() => shared.listen(channel, handler));
      const stopOnce = async () => {
        if (listening.delete(stopOnce)) await stop();
      };
      listening.add(stopOnce);
      return stopOnce;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(running);
      for (const stop of listening) await stop();
    },
  };
}
