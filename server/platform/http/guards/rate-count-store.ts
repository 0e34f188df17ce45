/**
 * Timed by the database's clock. A period that ends later than a new one would must predate a set-back of the clock; it
 * counts as over, so that no client is locked out until the clock catches up.
 */
import { asOwner, type Database } from '../../database/database.ts';
import type { RateLimit } from './rate-limit.ts';

export interface RateCount {
  /** Points used in the current period, including this request. */
  points: number;
  leftMs: number;
}

export interface RateCountStore {
  /** One statement, so that each of several simultaneous calls sees a different count. */
  add(limit: string, key: Uint8Array, points: number, perS: number): Promise<RateCount>;
  /** Counts only if the whole fits, in one statement. `points` then include this request. */
  take(limit: string, key: Uint8Array, points: number, most: RateLimit): Promise<RateCount & { isTaken: boolean }>;
  giveBack(limit: string, key: Uint8Array, points: number): Promise<void>;
  forget(limit: string, key: Uint8Array): Promise<void>;
  removeOld(): Promise<number>;
}

/** A higher count would change nothing. */
const MOST_POINTS = 1_000_000_000;
/** Larger than the gap between the start times of two concurrent statements, because each uses its start as now(). */
const SLACK = "interval '1 minute'";
const IS_OVER = `(r.ends_at <= now() or r.ends_at > excluded.ends_at + ${SLACK})`;
const LEFT_MS = '(extract(epoch from ends_at - now()) * 1000)::float8 as left_ms';

export function rateCountStore(database: Database): RateCountStore {
  const queries = asOwner(database);
  return {
    async add(limit, key, points, perS) {
      const [row] = await queries.query<{ points: number; left_ms: number }>(
        `insert into private.rate_counts as r (limit_name, key, points, ends_at)
         values ($1::text, $2::bytea, $3::int, now() + make_interval(secs => $4::float8))
         on conflict (limit_name, key) do update
            set points = case when ${IS_OVER} then excluded.points
                              else least(r.points::bigint + excluded.points, ${MOST_POINTS})::int end,
                ends_at = case when ${IS_OVER} then excluded.ends_at else r.ends_at end
         returning points, ${LEFT_MS}`,
        [limit, hex(key), points, perS],
      );
      if (row === undefined) throw new Error('a count was not returned');
      return { points: row.points, leftMs: row.left_ms };
    },
    async take(limit, key, points, most) {
      const [row] = await queries.query<{ is_taken: boolean; points: number; left_ms: number }>(
        `with taken as (
           insert into private.rate_counts as r (limit_name, key, points, ends_at)
           select $1::text, $2::bytea, $3::int, now() + make_interval(secs => $4::float8) where $3::int <= $5::int
           on conflict (limit_name, key) do update
              set points = case when ${IS_OVER} then excluded.points else r.points + excluded.points end,
                  ends_at = case when ${IS_OVER} then excluded.ends_at else r.ends_at end
            where ${IS_OVER} or r.points::bigint + excluded.points <= $5::int
           returning points, ends_at)
         select true as is_taken, points, ${LEFT_MS} from taken
         union all
         select false, points, ${LEFT_MS} from private.rate_counts
          where limit_name = $1::text and key = $2::bytea and ends_at > now() and not exists (select from taken)`,
        [limit, hex(key), points, most.perS, most.points],
      );
      // Nothing was counted before, and the whole is more than the limit.
      if (row === undefined) return { isTaken: false, points: 0, leftMs: most.perS * 1000 };
      return { isTaken: row.is_taken, points: row.points, leftMs: row.left_ms };
    },
    async giveBack(limit, key, points) {
      await queries.query(
        `update private.rate_counts set points = greatest(0, points - $3::int)
          where limit_name = $1::text and key = $2::bytea and ends_at > now()`,
        [limit, hex(key), points],
      );
    },
    async forget(limit, key) {
      await queries.query('delete from private.rate_counts where limit_name = $1::text and key = $2::bytea', [
        limit,
        hex(key),
      ]);
    },
    async removeOld() {
      const [row] = await queries.query<{ removed: number }>(
        `with gone as (delete from private.rate_counts where ends_at <= now() returning 1)
         select count(*)::int as removed from gone`,
      );
      return row?.removed ?? 0;
    },
  };
}

function hex(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}
