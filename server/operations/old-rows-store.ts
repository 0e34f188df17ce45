/** Rows that grow with use and are of no use after a while: each statement takes a bounded number, found by an index. */
import { asOwner, type Database } from '../platform/database/database.ts';

export interface OldRowsStore {
  /** Reports of pages that arrived before then. @returns how many went */
  removeErrorLogs(beforeMs: number): Promise<number>;
  /** Candles of forecasts that are saved elsewhere or were given back, made before then. @returns how many were emptied */
  emptyReservations(beforeMs: number): Promise<number>;
  /** What was counted towards a quota whose period is long over. @returns how many went */
  removeReservations(beforeMs: number): Promise<number>;
}

/** A few milliseconds of rows; those with candles have some 20 KB each. */
const AT_ONCE = { removed: 2000, emptied: 200 };

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
    emptyReservations: (beforeMs) =>
      changed(
        `update private.prediction_reservations set history = null, forecast = null, start = null where id in (
           select id from private.prediction_reservations
            where forecast is not null and state in ('spent', 'returned') and created_at < $1::text::timestamptz
            order by created_at limit $2::int for update skip locked)
         returning 1 as one`,
        beforeMs,
        AT_ONCE.emptied,
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
