/** Rows that accumulate and expire: each statement deletes a bounded number, found by an index. */
import { asOwner, type Database } from '../../platform/database/database.ts';

export interface OldRowsStore {
  /** Deletes page error reports that arrived before then. @returns how many */
  removeErrorLogs(beforeMs: number): Promise<number>;
  /** Deletes forecasts made before then, if they are saved elsewhere or every user gave them back. @returns how many */
  removeKeptForecasts(beforeMs: number): Promise<number>;
  /** Deletes usage of a quota whose period is long over. @returns how many */
  removeReservations(beforeMs: number): Promise<number>;
}

/** A few milliseconds of rows; a forecast is removed from its reservations, of which a minute may have thousands. */
const AT_ONCE = { removed: 2000, forecasts: 10 };

export function oldRowsStore(database: Database): OldRowsStore {
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
        AT_ONCE.removed,
      ),
    removeKeptForecasts: (beforeMs) =>
      changed(
        `delete from private.kept_forecasts where id in (
           select k.id from private.kept_forecasts k
            where k.created_at < $1::text::timestamptz
              and not exists (select from private.prediction_reservations r where r.kept_forecast = k.id and r.state = 'reserved')
            order by k.created_at limit $2::int for update skip locked)
         returning 1 as one`,
        beforeMs,
        AT_ONCE.forecasts,
      ),
    removeReservations: (beforeMs) =>
      changed(
        `delete from private.prediction_reservations where id in (
           select id from private.prediction_reservations
            where created_at < $1::text::timestamptz and state <> 'reserved'
            order by created_at limit $2::int for update skip locked)
         returning 1 as one`,
        beforeMs,
        AT_ONCE.removed,
      ),
  };
}
