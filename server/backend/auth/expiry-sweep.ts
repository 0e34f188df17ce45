/** The job that deletes expired codes, links, unfinished sign-ins and sessions. */
import type { Clock } from '#domain/time/clock.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { deleteExpiredTokens } from './mail/one-time-token-store.ts';
import { deleteFinishedSessions, deleteLongUsedTokens } from './sessions/finished-session-store.ts';
import { deleteExpiredFlows } from './sessions/flow-store.ts';

export interface SweepDeps {
  database: Database;
  clock: Clock;
  log: Logger;
  intervalMs?: number;
}

const INTERVAL_MS = 10 * 60 * 1000;
/** Sessions expire after days, and the sweep reads them all (0.2 s for 100,000), so it runs less often. */
const SESSIONS_EVERY_RUNS = 36;

/**
 * Sweeps immediately, then every ten minutes; sessions every sixth hour. Any number of processes may do so.
 *
 * @returns stops, and waits for a run in progress
 */
export function startExpirySweep(deps: SweepDeps): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let runs = 0;
  let running = sweep();

  async function sweep(): Promise<void> {
    try {
      const nowIso = new Date(deps.clock.nowMs()).toISOString();
      await deleteExpiredTokens(asOwner(deps.database), nowIso);
      await deleteExpiredFlows(asOwner(deps.database), nowIso);
      if (runs % SESSIONS_EVERY_RUNS === 0) {
        // Open pages use up tokens every hour: with ten thousand users, more than one statement deletes.
        for (const some of [deleteFinishedSessions, deleteLongUsedTokens])
          while ((await some(asOwner(deps.database), nowIso)) && !isStopped);
      }
      runs += 1;
    } catch (error) {
      // The database may be restarting: the next run finds the same rows.
      deps.log.warn({ err: error }, 'the sweep of expired codes and sessions failed');
    }
    if (isStopped) return;
    timer = setTimeout(() => {
      running = sweep();
    }, deps.intervalMs ?? INTERVAL_MS);
    timer.unref();
  }

  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
