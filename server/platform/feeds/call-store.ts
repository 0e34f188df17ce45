import { asOwner, type Database } from '../database/database.ts';

export interface CallStore {
  /** Counts one call unless it would exceed the allowance. @returns false when it was not counted */
  spend(feed: string, monthIso: string, allowance: number): Promise<boolean>;
  callsOf(feed: string, monthIso: string): Promise<number>;
}

/** A month is its first day, `2026-11-01`. Each method is one statement, so any number of processes may count. */
export function callStore(database: Database): CallStore {
  const queries = asOwner(database);
  return {
    async spend(feed, monthIso, allowance) {
      const counted = await queries.query(
        `insert into private.feed_calls as c (feed, month, calls)
         select $1::text, $2::text::date, 1 where $3::int >= 1
         on conflict (feed, month) do update set calls = c.calls + 1 where c.calls < $3::int
         returning c.calls`,
        [feed, monthIso, allowance],
      );
      return counted.length === 1;
    },
    async callsOf(feed, monthIso) {
      const [row] = await queries.query<{ calls: number }>(
        'select calls from private.feed_calls where feed = $1::text and month = $2::text::date',
        [feed, monthIso],
      );
      return row?.calls ?? 0;
    },
  };
}
