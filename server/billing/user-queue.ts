/**
 * Changes of one user's subscription run one after the other within this process: what the second decides by is what the
 * first has done. Between processes the provider's own state, unique rows and idempotency keys hold.
 */
import { AppError } from '#domain/errors/app-error.ts';
import type { UserQueue } from './billing-deps.ts';

/** Of one user, the one that runs among them: more than anybody's clicks, less than a flood. */
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
      // The next in line waits for the end of this one, whatever its outcome; the outcome goes to its own caller.
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
