/**
 * Jobs in the database: who holds each one, and when it is due. Times come from the database's clock, which all
 * processes share and which the product's test clock does not move. If the database's clock was set back, a job that
 * ended in its future is due, and a lease longer than a new one has expired. No job waits until the clock catches up.
 */
import { asOwner, type Database } from '../database/database.ts';

export interface JobStore {
  /** Registers this process for the job, until the returned function is called. */
  begin(name: string): () => void;
  /**
   * Claims a due job without a holder, in one statement; an unknown job is due immediately. @param holder a new uuid
   * @returns null when it was claimed; otherwise how long to wait, in milliseconds
   */
  claim(name: string, holder: string, leaseMs: number): Promise<number | null>;
  /** Does nothing if another run holds the job by now. @param outcome.error short code or name; null on success */
  finish(name: string, holder: string, outcome: { nextInMs: number; error: string | null }): Promise<void>;
  /** Releases a run that was aborted, so that the next process need not wait for the lease to expire. */
  release(name: string, holder: string): Promise<void>;
}

/** A clock correction smaller than this makes no job run twice. */
const SLACK = "interval '10 seconds'";

const begun = new WeakMap<Database, Set<string>>();

/** @returns names of the jobs that this process takes part in, whether or not it holds them */
export function jobsOf(database: Database): ReadonlySet<string> {
  return begun.get(database) ?? new Set();
}

export function jobStore(database: Database): JobStore {
  const queries = asOwner(database);
  const ours = begun.get(database) ?? new Set<string>();
  begun.set(database, ours);
  return {
    begin(name) {
      ours.add(name);
      return () => void ours.delete(name);
    },
    async claim(name, holder, leaseMs) {
      // Both parts see the table as it was before the statement; the second one reads what blocked the claim.
      const [row] = await queries.query<{ is_mine: boolean; wait_ms: number | null }>(
        `with claimed as (
           insert into private.jobs as j (name, holder, lease_ends_at, next_due_at)
           values ($1::text, $2::text::uuid, now() + make_interval(secs => $3::float8 / 1000), now())
           on conflict (name) do update set holder = excluded.holder, lease_ends_at = excluded.lease_ends_at
            where (j.next_due_at <= now() or j.ended_at > now() + ${SLACK})
              and (j.lease_ends_at is null or j.lease_ends_at <= now() or j.lease_ends_at > excluded.lease_ends_at + ${SLACK})
           returning 1)
         select exists (select from claimed) as is_mine,
                (select (extract(epoch from greatest(next_due_at, lease_ends_at) - now()) * 1000)::float8
                   from private.jobs where name = $1::text) as wait_ms`,
        [name, holder, leaseMs],
      );
      return row?.is_mine ? null : Math.max(0, row?.wait_ms ?? 0);
    },
    async finish(name, holder, { nextInMs, error }) {
      await queries.query(
        `update private.jobs
            set holder = null, lease_ends_at = null, runs = runs + 1, ended_at = now(),
                next_due_at = now() + make_interval(secs => $3::float8 / 1000),
                last_ok_at = case when $4::text is null then now() else last_ok_at end,
                last_error = left($4::text, 200),
                failures = case when $4::text is null then 0 else failures + 1 end
          where name = $1::text and holder = $2::text::uuid`,
        [name, holder, nextInMs, error],
      );
    },
    async release(name, holder) {
      await queries.query(
        `update private.jobs set holder = null, lease_ends_at = null
          where name = $1::text and holder = $2::text::uuid`,
        [name, holder],
      );
    },
  };
}
