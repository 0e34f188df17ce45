/**
 * Jobs in the database: who has one, and when it is due. Times are the database's own, which all processes share, and
 * which no moved product clock moves. Where that clock was set back, what ended in its future is due, and a lease longer than a
 * new one has ended: no job waits until the clock has caught up.
 */
import { asOwner, type Database } from '../database/database.ts';

export interface JobStore {
  /** This process is one of those that do it, until the answer is called. */
  begin(name: string): () => void;
  /**
   * Takes a job that is due and that nobody has, in one statement. A job that is not known yet is due at once.
   *
   * @param holder  a new uuid for each run
   * @returns null when it was taken; else how long it makes sense to wait, milliseconds
   */
  claim(name: string, holder: string, leaseMs: number): Promise<number | null>;
  /**
   * Gives it back. Nothing happens when the lease had ended and another run has it.
   *
   * @param outcome.error  short code or name of what went wrong; null when it went well
   */
  finish(name: string, holder: string, outcome: { nextInMs: number; error: string | null }): Promise<void>;
  /** Gives back a run that was broken off, so that the next process need not wait for the lease's end. */
  release(name: string, holder: string): Promise<void>;
}

/** A clock that is set right by less than this makes no job run twice. */
const SLACK = "interval '10 seconds'";

/** Names of what was begun, by the database that all parts of a process share. */
const begun = new WeakMap<Database, Set<string>>();

/** @returns names of the jobs that this process does, whether or not it was the one to have them */
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
      // Both parts see the table as it was before: the second tells what stood in the way.
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
