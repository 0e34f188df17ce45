/**
 * Runs slow work one at a time. Eight password hashes at once made every other request wait almost five times as long
 * (measured on two cores); one at a time made none wait.
 */
import { AppError } from '#domain/errors/app-error.ts';

export interface WorkQueue {
  /** @throws AppError `request/too-many` at once when too many are waiting already */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function workQueue(options: { maxWaiting: number }): WorkQueue {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    async run(work) {
      if (waiting >= options.maxWaiting) throw new AppError('request/too-many', { details: { retryAfterS: 1 } });
      waiting += 1;
      const mine = last.then(work);
      // The next in line waits for the end of this one, whatever its outcome; the outcome goes to its own caller.
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        waiting -= 1;
      }
    },
  };
}
