/**
 * The job that deletes old rows for which no other code is responsible. docs/data-model.md lists each table's retention
 * and who enforces it. A capability cleans up the tables that only it uses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { type Job, startJob } from '../platform/processes/schedule.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { oldRowsStore } from './stores/old-rows-store.ts';

export interface OldRowsDeps {
  database: Database;
  clock: Clock;
  log: Logger;
}

const DAY_MS = 86_400_000;
/** The longest span that the operator's view requests. */
export const ERROR_LOGS_KEPT_MS = 90 * DAY_MS;
/** A forecast can be fetched again for ten minutes. */
export const CANDLES_KEPT_MS = 2 * DAY_MS;
/** Three periods of a plan: a quota counts one. */
export const RESERVATIONS_KEPT_MS = 100 * DAY_MS;
const PERIOD_MS = 3_600_000;
/** Limit of the first run after an upgrade; the next runs continue from there. */
const LIMIT_MS = 10 * 60_000;
/** Pause between two statements, for other work. */
const PAUSE_MS = 20;

export function startOldRows(deps: OldRowsDeps): Job {
  return startJob({
    name: 'old-rows',
    periodMs: PERIOD_MS,
    limitMs: LIMIT_MS,
    store: jobStore(deps.database),
    log: deps.log,
    async run(signal) {
      const went = await removeOldRows(deps, signal);
      if (Object.values(went).some((count) => count > 0)) deps.log.info(went, 'old rows are gone');
      return undefined;
    },
  });
}

/** Stops between two statements when `signal` aborts. @returns how many rows of each kind */
export async function removeOldRows({ database, clock }: Omit<OldRowsDeps, 'log'>, signal: AbortSignal) {
  const store = oldRowsStore(database);
  const nowMs = clock.nowMs();
  async function all(some: (beforeMs: number) => Promise<number>, keptMs: number): Promise<number> {
    let count = 0;
    for (let last = 1; last > 0 && !signal.aborted; count += last) {
      last = await some(nowMs - keptMs);
      if (last > 0) await sleep(PAUSE_MS);
    }
    return count;
  }
  return {
    errorLogs: await all(store.removeErrorLogs, ERROR_LOGS_KEPT_MS),
    keptForecasts: await all(store.removeKeptForecasts, CANDLES_KEPT_MS),
    reservations: await all(store.removeReservations, RESERVATIONS_KEPT_MS),
  };
}
