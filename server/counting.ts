/** Rate limits and stream slots: shared by all processes if others can open the database, else local to this one. */
import type { Core } from './core.ts';
import { type MeteredSlots, meteredSlots } from './forecast/forecast-meter.ts';
import { sharedStreamSlots, streamSlotStore, streamSlots } from './forecast/stream/stream-slots.ts';
import { rateCountStore } from './platform/http/guards/rate-count-store.ts';
import { limiterOfProcess, type RateLimiterOf } from './platform/http/guards/rate-limit.ts';
import { sharedRateLimiters, startRemovingCounts } from './platform/http/guards/shared-rate-limit.ts';
import { jobStore } from './platform/processes/job-store.ts';

export interface Counting {
  limiterOf: RateLimiterOf;
  slots: MeteredSlots;
  close(): Promise<void>;
}

/** @param databaseUrl  contains the login's password: all processes know it, and no table stores it */
export function openCounting(parts: Pick<Core, 'database' | 'log'> & { databaseUrl: string | null }): Counting {
  const { database, databaseUrl, log } = parts;
  if (database.kind === 'pglite')
    return { limiterOf: limiterOfProcess, slots: meteredSlots(streamSlots()), close: async () => undefined };
  const [counts, places] = [rateCountStore(database), streamSlotStore(database)];
  const removing = startRemovingCounts({ stores: [counts, places], jobs: jobStore(database), log });
  return {
    limiterOf: sharedRateLimiters({ store: counts, secret: databaseUrl ?? '', log }),
    slots: meteredSlots(sharedStreamSlots(places)),
    close: () => removing.close(),
  };
}
