/**
 * Runs slow work one at a time, as long as somebody waits for it. Eight password hashes at once made every other request wait almost five times as long
 * (measured on two cores); one at a time made none wait.
 */
import { AppError } from '#domain/errors/app-error.ts';

export interface WorkQueue {
  /** How long somebody who asks now waits for a turn, milliseconds, as the last ones took. */
  expectedWaitMs(): number;
  /** @throws AppError `request/too-many` at once when too many are waiting already, or in its turn when that came too late */
  run<T>(work: () => Promise<T>, asker?: QueueAsker): Promise<T>;
}

export interface QueueAsker {
  /** For whom, where the queue takes only so many of one: else one could fill it. */
  owner?: string | undefined;
  /** Aborted when nobody waits for the work any more. In its turn it is left out then, and refused as one too many. */
  signal?: AbortSignal | undefined;
}

/** @param options  both counts hold the work that runs too; `maxWaitMs` is the longest wait for a turn (default: no bound) */
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

  async function timed<T>(work: () => Promise<T>): Promise<T> {
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
      const askedMs = performance.now();
      const mine = last.then(() => {
        if (signal?.aborted || performance.now() - askedMs > maxWaitMs) throw tooMany();
        return timed(work);
      });
      // The next in line waits for the end of this one, whatever its outcome; the outcome goes to its own caller.
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        count(owner, -1);
      }
    },
  };
}

/** The share of the last one in the mean. */
const SMOOTHING = 0.2;

function tooMany(): AppError {
  return new AppError('request/too-many', { details: { retryAfterS: 1 } });
}
