/**
 * Runs slow work one at a time, as long as a caller waits for it. Eight password hashes at the same time made every
 * other request wait almost five times as long (measured on two cores). One at a time caused no waits.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { Backlog } from './admission/admission.ts';
import { ownerLine } from './owner-line.ts';

export interface WorkQueue {
  /** Work without a result, and the expected wait of a new owner for its turn, based on recent work. */
  backlog(): Backlog;
  /** @throws AppError `request/too-many` immediately when the queue is full, or in its turn when that came too late */
  run<T>(work: () => Promise<T>, requester?: QueueRequester): Promise<T>;
}

export interface QueueRequester {
  /** The caller's owner: owners take turns, and the queue may limit each. */
  owner?: string | undefined;
  /** Aborted when the caller no longer waits: the work is then skipped and refused with `request/too-many`. */
  signal?: AbortSignal | undefined;
}

/** @param options  both counts include running work; `maxWaitMs` is the longest wait for a turn (default: unlimited) */
export function workQueue(options: { maxWaiting: number; maxOfOne?: number; maxWaitMs?: number }): WorkQueue {
  const { maxWaiting, maxOfOne = maxWaiting, maxWaitMs = Number.POSITIVE_INFINITY } = options;
  const ofOwner = new Map<string, number>();
  /** What has not begun. */
  const turns = ownerLine<() => Promise<void>>();
  let inAll = 0;
  let isRunning = false;
  let meanMs = 0;

  function count(owner: string, change: 1 | -1): void {
    inAll += change;
    const own = (ofOwner.get(owner) ?? 0) + change;
    if (own === 0) ofOwner.delete(owner);
    else ofOwner.set(owner, own);
  }

  async function runAll(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    for (let next = turns.shift(); next !== undefined; next = turns.shift()) await next();
    isRunning = false;
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
    backlog: () => ({ waiting: inAll, expectedMs: (turns.ahead(NEW_OWNER, 0) + (isRunning ? 1 : 0)) * meanMs }),
    async run<T>(work: () => Promise<T>, { owner = '', signal }: QueueRequester = {}) {
      if (inAll >= maxWaiting || (ofOwner.get(owner) ?? 0) >= maxOfOne) throw tooMany();
      count(owner, 1);
      const queuedMs = performance.now();
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const begin = async (): Promise<void> => {
        if (signal?.aborted || performance.now() - queuedMs > maxWaitMs) reject(tooMany());
        // The next work waits for the end of this one, whatever its outcome; only its own caller receives the outcome.
        else await measure(work).then(resolve, reject);
      };
      turns.push(owner, begin);
      void runAll();
      try {
        return await promise;
      } finally {
        count(owner, -1);
      }
    },
  };
}

const SMOOTHING = 0.2;
const NEW_OWNER = Symbol('new');

function tooMany(): AppError {
  return new AppError('request/too-many', { details: { retryAfterS: 1 } });
}
