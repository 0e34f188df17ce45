/** Rows for which no other code is responsible; docs/data-model.md lists each table's retention. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../core.ts';
import { asOwner, type Database } from '../platform/database/database.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { type Job, startJob } from '../platform/processes/schedule.ts';

export type OldRowsDeps = Pick<Core, 'database' | 'clock' | 'log'>;

const DAY_MS = 86_400_000;
/** The longest span that the operator's view requests. */
export const ERROR_LOG_RETENTION_MS = 90 * DAY_MS;
/** The span of the activity page. */
export const ACTIVITY_RETENTION_MS = 90 * DAY_MS;
/** A forecast can be fetched again for ten minutes. */
export const FORECAST_RETENTION_MS = 2 * DAY_MS;
/** Three periods of a plan: a quota counts one. */
export const RESERVATION_RETENTION_MS = 100 * DAY_MS;
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
      const removed = await removeOldRows(deps, signal);
      if (Object.values(removed).some((count) => count > 0)) deps.log.info(removed, 'old rows were deleted');
      return undefined;
    },
  });
}

/** Stops between two statements when `signal` aborts. @returns how many rows of each kind */
export async function removeOldRows({ database, clock }: Omit<OldRowsDeps, 'log'>, signal: AbortSignal) {
  const store = oldRowsStore(database);
  const nowMs = clock.nowMs();
  async function all(some: (beforeMs: number) => Promise<number>, retentionMs: number): Promise<number> {
    let count = 0;
    for (let last = 1; last > 0 && !signal.aborted; count += last) {
      last = await some(nowMs - retentionMs);
      if (last > 0) await sleep(PAUSE_MS);
    }
    return count;
  }
  return {
    errorLogs: await all(store.removeErrorLogs, ERROR_LOG_RETENTION_MS),
    accountEvents: await all(store.removeAccountEvents, ACTIVITY_RETENTION_MS),
    keptForecasts: await all(store.removeForecasts, FORECAST_RETENTION_MS),
    reservations: await all(store.removeReservations, RESERVATION_RETENTION_MS),
  };
}

export interface OldRowsStore {
  removeErrorLogs(beforeMs: number): Promise<number>;
  removeAccountEvents(beforeMs: number): Promise<number>;
  /** Deletes forecasts made before then, if they are saved elsewhere or every user gave them back. @returns how many */
  removeForecasts(beforeMs: number): Promise<number>;
  removeReservations(beforeMs: number): Promise<number>;
}

/** A few milliseconds of rows; a forecast is removed from its reservations, of which a minute may have thousands. */
const BATCH = { removed: 2000, forecasts: 10 };

function oldRowsStore(database: Database): OldRowsStore {
  const queries = asOwner(database);
  async function changed(text: string, beforeMs: number, limit: number): Promise<number> {
    const rows = await queries.query(text, [new Date(beforeMs).toISOString(), limit]);
    return rows.length;
  }
  return {
    removeErrorLogs: (beforeMs) =>
      changed(
        `delete from public.error_logs where id in (
           select id from public.error_logs where received_at < $1::text::timestamptz order by received_at limit $2::int)
         returning 1 as one`,
        beforeMs,
        BATCH.removed,
      ),
    removeAccountEvents: (beforeMs) =>
      changed(
        `delete from public.account_events where id in (
           select id from public.account_events where at < $1::text::timestamptz order by at limit $2::int)
         returning 1 as one`,
        beforeMs,
        BATCH.removed,
      ),
    removeForecasts: (beforeMs) =>
      changed(
        `delete from private.kept_forecasts where id in (
           select k.id from private.kept_forecasts k
            where k.created_at < $1::text::timestamptz
              and not exists (select from private.prediction_reservations r where r.kept_forecast = k.id and r.state = 'reserved')
            order by k.created_at limit $2::int for update skip locked)
         returning 1 as one`,
        beforeMs,
        BATCH.forecasts,
      ),
    removeReservations: (beforeMs) =>
      changed(
        `delete from private.prediction_reservations where id in (
           select id from private.prediction_reservations
            where created_at < $1::text::timestamptz and state <> 'reserved'
            order by created_at limit $2::int for update skip locked)
         returning 1 as one`,
        beforeMs,
        BATCH.removed,
      ),
  };
}
