/** Partitions of the record: each holds a million numbers of records and of their scores. */
import { asOwner, type Database, type Queries } from '../../platform/database/database.ts';

/** As supabase/migrations/20261130080000_record.sql. */
export const RECORDS_A_PARTITION = 1_000_000;

/** Creates missing partitions for all numbers up to `seq`. Takes the chain's lock, so concurrent calls are safe. */
export async function makeRoomFor(queries: Queries, seq: number): Promise<number> {
  const [row] = await queries.query<{ made: number }>('select private.make_track_partitions($1::bigint) as made', [
    seq,
  ]);
  return row?.made ?? 0;
}

/** Done ahead, so that no forecast waits for it. @returns how many partitions were created */
export async function makeRoomAhead(database: Database, aheadRecords: number): Promise<number> {
  const queries = asOwner(database);
  const [head] = await queries.query<{ seq: number }>('select coalesce(max(seq), 0) as seq from private.track_records');
  return makeRoomFor(queries, (head?.seq ?? 0) + aheadRecords);
}
