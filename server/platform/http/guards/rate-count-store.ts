/**
 * Timed by the database's clock. A period that ends later than a new one would must predate a set-back of the clock; it
 * counts as over, so that no client is locked out until the clock catches up.
 */
import { asOwner, type Database } from '../../database/database.ts';

export interface RateCount {
  /** Points used in the current period, including this request. */
  points: number;
  leftMs: number;
}

export interface RateCountStore {
  /** One statement, so that each of several simultaneous calls sees a different count. */
  add(limit: string, key: Uint8Array, points: number, perS: number): Promise<RateCount>;
  giveBack(limit: string, key: Uint8Array, points: number): Promise<void>;
  forget(limit: string, key: Uint8Array): Promise<void>;
  removeOld(): Promise<number>;
}

/** A higher count would change nothing. */
const MOST_POINTS = 1_000_000_000;
/** Larger than the gap between the start times of two concurrent statements, because each uses its start as now(). */
const SLACK = "interval '1 minute'";

export function rateCountStore(database: Database): RateCountStore {
  const queries = asOwner(database);
  return {
    async add(limit, key, points, perS) {
      const [row] = await queries.query<{ points: number; left_ms: number }>(
        `insert into private.rate_counts as r (limit_name, key, points, ends_at)
         values ($1::text, $2::bytea, $3::int, now() + make_interval(secs => $4::float8))
         on conflict (limit_name, key) do update
            set points = case when r.ends_at <= now() or r.ends_at > excluded.ends_at + ${SLACK} then excluded.points
                              else least(r.points::bigint + excluded.points, ${MOST_POINTS})::int end,
                ends_at = case when r.ends_at <= now() or r.ends_at > excluded.ends_at + ${SLACK} then excluded.ends_at
                               else r.ends_at end
         returning points, (extract(epoch from ends_at - now()) * 1000)::float8 as left_ms`,
        [limit, hex(key), points, perS],
      );
      if (row === undefined) throw new Error('a count was not returned');
      return { points: row.points, leftMs: row.left_ms };
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
