/** Shares sessions in turn: first come, first served. A broken session is never reused. */
import { AppError } from '#domain/errors/app-error.ts';
import { unavailable } from './sql/sql-errors.ts';
import type { SqlSession } from './sql/sql-session.ts';

export interface SessionPool {
  /** @throws AppError `database/busy` after `maxWaitMs` in the queue, `database/unavailable` if no session opens */
  use<T>(work: (session: SqlSession) => Promise<T>): Promise<T>;
  refuseWaiting(reason: unknown): void;
  /** Closes idle sessions; the next callers get new ones. */
  dropIdle(): void;
  state(): PoolState;
  onQueueMoved: Pooled['onQueueMoved'];
  /** Accepts no more work, waits for running work, then closes the sessions. */
  end(): Promise<void>;
}

export interface PoolState {
  size: number;
  inUse: number;
  waiting: number;
}

export interface Pooled {
  pool(): PoolState;
  /** Calls the listener whenever a caller leaves the queue for a session, which may still be opening. */
  onQueueMoved(listener: () => void): void;
}

export interface PoolOptions {
  size: number;
  maxWaitMs: number;
  open: () => Promise<SqlSession>;
}

interface Waiting {
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
  const listeners: (() => void)[] = [];

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

  /** The caller already counts as in use. */
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

  /** Gives the slot, and the session if it still works, to the next caller in the queue. */
  function passOn(session: SqlSession | null): void {
    const next = queue.shift();
    if (next) {
      // No timeout from here on: a caller that gave up while its session opens would never release it.
      clearTimeout(next.timer);
      if (session) next.take(session);
      else takeOrOpen().then(next.take, next.refuse);
      for (const notify of listeners) notify();
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
  const onQueueMoved = (listener: () => void): void => void listeners.push(listener);
  return { use, refuseWaiting, dropIdle, state, onQueueMoved, end };
}
