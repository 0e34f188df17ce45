/** Sessions shared by turn: first come, first served, and a broken one is never handed out again. */
import { AppError } from '#domain/errors/app-error.ts';
import { unavailable } from '../sql/sql-errors.ts';
import type { SqlSession } from '../sql/sql-session.ts';

export interface SessionPool {
  /** @throws AppError `database/busy` after `maxWaitMs` in the queue, `database/unavailable` when none can be opened */
  use<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  /** Refuses everyone in the queue; those at work are not touched. */
  refuseWaiting(reason: unknown): void;
  /** Of those that nobody uses now; the next callers get new ones. */
  dropIdle(): void;
  state(): PoolState;
  /** Takes no more work, waits for what runs, says goodbye. */
  end(): Promise<void>;
}

export interface PoolState {
  size: number;
  inUse: number;
  /** For a session, in the queue. */
  waiting: number;
}

/** A database that tells of its sessions. */
export interface Pooled {
  pool(): PoolState;
}

export interface PoolOptions {
  size: number;
  maxWaitMs: number;
  open: () => Promise<SqlSession>;
}

interface Waiting {
  /** Ends its wait in the queue. */
  timer: NodeJS.Timeout;
  take: (session: SqlSession) => void;
  refuse: (reason: unknown) => void;
}

export function sessionPool(options: PoolOptions): SessionPool {
  const idle: SqlSession[] = [];
  const queue: Waiting[] = [];
  let inUse = 0;
  let isEnded = false;
  let onDrained: (() => void) | null = null;

  async function use<T>(work: (session: SqlSession) => Promise<T>): Promise<T> {
    const session = await acquire();
    try {
      return await work(session);
    } finally {
      release(session);
    }
  }

  function acquire(): Promise<SqlSession> {
    if (isEnded) return Promise.reject(unavailable());
    if (inUse < options.size) {
      inUse += 1;
      return takeOrOpen();
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new AppError('database/busy'));
      }, options.maxWaitMs);
      const waiting: Waiting = { timer, take: resolve, refuse: reject };
      queue.push(waiting);
    });
  }

  /** Counts as in use already. */
  async function takeOrOpen(): Promise<SqlSession> {
    for (let session = idle.pop(); session; session = idle.pop()) if (!session.isBroken) return session;
    try {
      return await options.open();
    } catch (error) {
      passOn(null);
      throw error;
    }
  }

  function release(session: SqlSession): void {
    passOn(session.isBroken ? null : session);
  }

  /** Gives the place, and the session if it still works, to the next in the queue. */
  function passOn(session: SqlSession | null): void {
    const next = queue.shift();
    if (next) {
      // From here on it is served: had it given up while a session is opened for it, nobody would ever release that.
      clearTimeout(next.timer);
      if (session) next.take(session);
      else takeOrOpen().then(next.take, next.refuse);
      return;
    }
    inUse -= 1;
    if (session) idle.push(session);
    if (inUse === 0) onDrained?.();
  }

  function refuseWaiting(reason: unknown): void {
    for (const { timer, refuse } of queue.splice(0)) {
      clearTimeout(timer);
      refuse(reason);
    }
  }

  function dropIdle(): void {
    for (const session of idle.splice(0)) session.destroy(unavailable());
  }

  async function end(): Promise<void> {
    isEnded = true;
    if (inUse > 0) await new Promise<void>((resolve) => (onDrained = resolve));
    await Promise.all(idle.splice(0).map((session) => session.end()));
  }

  const state = (): PoolState => ({ size: options.size, inUse, waiting: queue.length });
  return { use, refuseWaiting, dropIdle, state, end };
}
