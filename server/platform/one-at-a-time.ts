/**
 * Runs slow work one at a time. Eight password hashes at once made every other request wait almost five times as long
 * (measured on two cores); one at a time made none wait.
 */
import { AppError } from '#domain/errors/app-error.ts';

export interface WorkQueue {
  /**
   * @param owner  for whom, where the queue takes only so many of one: else one could fill it
   * @throws AppError `request/too-many` at once when too many are waiting already
   */
  run<T>(work: () => Promise<T>, owner?: string): Promise<T>;
}

/** @param options  both count the work that runs too */
export function workQueue(options: { maxWaiting: number; maxOfOne?: number }): WorkQueue {
  const { maxWaiting, maxOfOne = maxWaiting } = options;
  const waitingOf = new Map<string, number>();
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  function count(owner: string, change: 1 | -1): void {
    waiting += change;
    const own = (waitingOf.get(owner) ?? 0) + change;
    if (own === 0) waitingOf.delete(owner);
    else waitingOf.set(owner, own);
  }

  return {
    async run(work, owner = '') {
      if (waiting >= maxWaiting || (waitingOf.get(owner) ?? 0) >= maxOfOne)
        throw new AppError('request/too-many', { details: { retryAfterS: 1 } });
      count(owner, 1);
      const mine = last.then(work);
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
