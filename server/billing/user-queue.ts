/**
 * Runs the changes of one user's subscription one after the other within this process, because each decides by the
 * result of the one before. Across processes, the provider's own state, unique rows and idempotency keys prevent
 * conflicts.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { UserQueue } from './billing-deps.ts';

/** The most queued per user, including the running one: more than anyone's clicks, less than a flood. */
const MAX_OF_ONE = 20;

export function userQueue(maxOfOne = MAX_OF_ONE): UserQueue {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>();

  return {
    async run(userId, work) {
      const line = lines.get(userId) ?? { last: Promise.resolve(), waiting: 0 };
      if (line.waiting >= maxOfOne) throw new AppError('billing/busy');
      lines.set(userId, line);
      line.waiting += 1;
      const mine = line.last.then(work);
      // The next in line waits for this one to settle; only its own caller gets the outcome.
      line.last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        line.waiting -= 1;
        if (line.waiting === 0) lines.delete(userId);
      }
    },
  };
}
