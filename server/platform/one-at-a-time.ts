/**
 * Runs slow work one at a time, as long as a caller waits for it. Eight password hashes at the same time made every
 * other request wait almost five times as long (measured on two cores). One at a time caused no waits.
 */
import { AppError } from '#domain/errors/app-error.ts';

export interface WorkQueue {
  /** Expected wait for a turn in milliseconds, based on recent work. */
  expectedWaitMs(): number;
  /** @throws AppError `request/too-many` immediately when the queue is full, or in its turn when that came too late */
  run<T>(work: () => Promise<T>, requester?: QueueRequester): Promise<T>;
}

export interface QueueRequester {
  /** The caller's owner, where the queue limits each owner so that one cannot fill it. */
  owner?: string | undefined;
  /** Aborted when the caller no longer waits: the work is then skipped and refused with `request/too-many`. */
  signal?: AbortSignal | undefined;
}

/** @param options  both counts include running work; `maxWaitMs` is the longest wait for a turn (default: unlimited) */
export function workQueue(options: { maxWaiting: number; maxOfOne?: number; maxWaitMs?: number }): WorkQueue {
  const { maxWaiting, maxOfOne = maxWaiting, maxWaitMs = Number.POSITIVE_INFINITY } = options;
  const waitingOf = new Map<string, number>();
  let waiting = 0;
  let meanMs = 0;
  let last: Promise<unknown> = Promise.resolve();

  function count(owner: string, change: 1 | -1): void {
    waiting += change;
    const own = (waitingOf.get(owner) ?? 0) + change;
    if (own === 0) waitingOf.delete(owner);
    else waitingOf.set(owner, own);
  }

  async function measure<T>(work: () => Promise<T>): Promise<T> {
    const beganMs = performance.now();
    try {
      return await work();
    } finally {
      meanMs += SMOOTHING * (performance.now() - beganMs - meanMs);
    }
  }

  return {
    expectedWaitMs: () => waiting * meanMs,
    async run(work, { owner = '', signal } = {}) {
      if (waiting >= maxWaiting || (waitingOf.get(owner) ?? 0) >= maxOfOne) throw tooMany();
      count(owner, 1);
      const queuedMs = performance.now();
      const mine = last.then(() => {
        if (signal?.aborted || performance.now() - queuedMs > maxWaitMs) throw tooMany();
        return measure(work);
      });
      // The next work waits for the end of this one, whatever its outcome; only its own caller receives the outcome.
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        count(owner, -1);
      }
    },
  };
}

const SMOOTHING = 0.2;

function tooMany(): AppError {
  return new AppError('request/too-many', { details: { retryAfterS: 1 } });
}
