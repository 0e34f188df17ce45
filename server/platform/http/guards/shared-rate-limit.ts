/** Counted across all processes in the database; while it is unavailable, in each process, so no one is locked out. */
import { createHmac } from 'node:crypto';
import { isAppError } from '#domain/errors/app-error.ts';
import type { JobStore } from '../../processes/job-store.ts';
import { type Job, startJob } from '../../processes/schedule.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { RateCountStore } from './rate-count-store.ts';
import { type RateLimiter, type RateLimiterOf, rateLimiter, secondsOf, tooMany } from './rate-limit.ts';

export interface SharedLimitOptions {
  store: RateCountStore;
  /** The same in every process, and not stored in the database: it is the key for hashing. */
  secret: string;
  log: Logger;
}

/** Bytes of the SHA-256 hash, as the column stores them. */
const KEY_BYTES = 16;

export function sharedRateLimiters({ store, secret, log }: SharedLimitOptions): RateLimiterOf {
  return (limit, name): RateLimiter => {
    const alone = rateLimiter(limit);
    const hashed = (key: string) => createHmac('sha256', secret).update(key).digest().subarray(0, KEY_BYTES);
    const orAlone = async <T>(work: Promise<T>, instead: () => Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (!isAppError(error) || !error.code.startsWith('database/')) throw error;
        log.debug({ err: error, limit: name }, 'a rate limit counts only in this process');
        return instead();
      }
    };
    return {
      consume: (key, points = 1) =>
        orAlone(
          store.add(name, hashed(key), points, limit.perS).then(({ points: used, leftMs }) => {
            if (used > limit.points) throw tooMany(leftMs);
            return { left: limit.points - used, resetS: secondsOf(leftMs) };
          }),
          () => alone.consume(key, points),
        ),
      take: (key, points) =>
        orAlone(
          store.take(name, hashed(key), points, limit).then(({ isTaken, points: used, leftMs }) => {
            if (!isTaken) throw tooMany(leftMs);
            return { left: limit.points - used, resetS: secondsOf(leftMs) };
          }),
          () => alone.take(key, points),
        ),
      giveBack: (key, points = 1) =>
        orAlone(store.giveBack(name, hashed(key), points), () => alone.giveBack(key, points)),
      forgive: (key) => orAlone(store.forget(name, hashed(key)), () => alone.forgive(key)),
    };
  };
}

const REMOVE_PERIOD_MS = 600_000;

/** One process removes expired counts at regular intervals. */
export function startRemovingCounts(parts: {
  stores: readonly Pick<RateCountStore, 'removeOld'>[];
  jobs: JobStore;
  log: Logger;
}): Job {
  const { stores, jobs, log } = parts;
  return startJob({
    name: 'limits-remove-old',
    periodMs: REMOVE_PERIOD_MS,
    store: jobs,
    log,
    async run() {
      for (const store of stores) await store.removeOld();
      return undefined;
    },
  });
}
