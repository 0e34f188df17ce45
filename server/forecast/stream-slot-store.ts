/** The places that streams take, over all server processes. */
import { asOwner, type Database } from '../platform/database/database.ts';

export interface StreamSlotStore {
  /** @returns false when all places are taken */
  take(userId: string, holder: string, options: { places: number; lastsS: number }): Promise<boolean>;
  free(userId: string, holder: string): Promise<void>;
  /** Of killed processes. @returns how many rows were removed */
  removeOld(): Promise<number>;
}

export function streamSlotStore(database: Database): StreamSlotStore {
  const queries = asOwner(database);
  return {
    async take(userId, holder, { places, lastsS }) {
      // Of two that choose one place at once one gets it. The other looks again: as often as there are places, since
      // each time it loses, one more is taken.
      for (let tries = 0; tries < places; tries++) {
        const [row] = await queries.query<{ is_mine: boolean; has_place: boolean }>(
          `with wanted as (
             select place from generate_series(1, $3::int) as wanted (place)
              where not exists (select from private.open_streams o
                                 where o.user_id = $1::text::uuid and o.place = wanted.place and o.ends_at > now())
              order by place limit 1),
           taken as (
             insert into private.open_streams as s (user_id, place, holder, ends_at)
             select $1::text::uuid, place, $2::text::uuid, now() + make_interval(secs => $4::float8) from wanted
             on conflict (user_id, place) do update set holder = excluded.holder, ends_at = excluded.ends_at
              where s.ends_at <= now()
             returning 1)
           select exists (select from taken) as is_mine, exists (select from wanted) as has_place`,
          [userId, holder, places, lastsS],
        );
        if (row?.is_mine) return true;
        if (row?.has_place === false) return false;
      }
      return false;
    },
    async removeOld() {
      const [row] = await queries.query<{ removed: number }>(
        `with gone as (delete from private.open_streams where ends_at <= now() returning 1)
         select count(*)::int as removed from gone`,
      );
      return row?.removed ?? 0;
    },
    async free(userId, holder) {
      await queries.query(
        'delete from private.open_streams where user_id = $1::text::uuid and holder = $2::text::uuid',
        [userId, holder],
      );
    },
  };
}
