/** Any number of processes share a queue: due rows are claimed for a limited time, without an open transaction. */
import type { Core } from '../../core.ts';
import { wakeLoop } from './wake-loop.ts';

export interface WorkedQueue<Item> {
  /** Name in log lines: `mail`. */
  name: string;
  /** Notified on every new row. */
  channel: string;
  queue: {
    /** Claims due rows; no other process gets them until `leaseEndsMs`. */
    claim(count: number, nowMs: number, leaseEndsMs: number): Promise<Item[]>;
    nextDueMs(): Promise<number | null>;
    removeOld(beforeMs: number): Promise<number>;
  };
  maxUnderWay: number;
  /** Longer than it takes to handle one. */
  leaseMs: number;
  retentionMs: number;
  /** Never rejects. @returns true when the row was put back, so that its due time is read again */
  handle(item: Item, stopping: AbortSignal): Promise<boolean>;
}

export interface QueueWorkerDeps extends Pick<Core, 'database' | 'clock' | 'log'> {
  /** Longest time between two checks, in case a notification is lost. Default 30 s. */
  pollMs?: number;
}

export interface QueueWorker {
  /** Claims no more, and waits for rows in progress. */
  close(): Promise<void>;
}

const POLL_MS = 30_000;
/** Another process may hold a due row for a moment. */
const SHORTEST_WAIT_MS = 50;
const CLEANING_INTERVAL_MS = 3_600_000;
/** Rows in progress may continue this long after the stop request. */
const CLOSE_GRACE_MS = 5000;

export async function startQueueWorker<Item>(work: WorkedQueue<Item>, deps: QueueWorkerDeps): Promise<QueueWorker> {
  const { clock, log, pollMs = POLL_MS } = deps;
  const { name, queue } = work;
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let cleanedAtMs = Number.NEGATIVE_INFINITY;

  const { wake, stop } = wakeLoop(poll);

  /** Never rejects. */
  async function poll(): Promise<void> {
    clearTimeout(timer);
    let waitMs = pollMs;
    try {
      await handleAllDue();
      await cleanUp();
      const dueMs = await queue.nextDueMs();
      if (dueMs !== null) waitMs = Math.min(pollMs, Math.max(SHORTEST_WAIT_MS, dueMs - clock.nowMs()));
    } catch (error) {
      // The database may be restarting: the next check finds the same rows.
      log.warn({ err: error }, `the ${name} queue could not be read`);
    }
    if (!isStopped) timer = setTimeout(wake, waitMs);
  }

  async function handleAllDue(): Promise<void> {
    while (!isStopped) {
      const nowMs = clock.nowMs();
      const free = work.maxUnderWay - underWay.size;
      const items = await queue.claim(free, nowMs, nowMs + work.leaseMs);
      for (const item of items) {
        const handling = handle(item).finally(() => underWay.delete(handling));
        underWay.add(handling);
      }
      if (items.length < free) return;
      await Promise.race(underWay);
    }
  }

  async function handle(item: Item): Promise<void> {
    if (await work.handle(item, stopping.signal)) wake();
  }

  async function cleanUp(): Promise<void> {
    const nowMs = clock.nowMs();
    if (nowMs - cleanedAtMs < CLEANING_INTERVAL_MS) return;
    cleanedAtMs = nowMs;
    const removed = await queue.removeOld(nowMs - work.retentionMs);
    if (removed > 0) log.info({ removed }, `old rows of the ${name} queue removed`);
  }

  const unlisten = await deps.database.listen(work.channel, wake);
  wake();

  return {
    async close() {
      isStopped = true;
      const ended = stop();
      clearTimeout(timer);
      await unlisten();
      const breakOff = setTimeout(() => stopping.abort(), CLOSE_GRACE_MS);
      await ended;
      await Promise.all(underWay);
      clearTimeout(breakOff);
    },
  };
}
