/** Stream slots shared by all server processes. */
import { asOwner, type Database } from '../../platform/database/database.ts';

export interface StreamSlotStore {
  /** @returns false when all slots are taken */
  take(userId: string, holder: string, options: { places: number; lastsS: number }): Promise<boolean>;
  free(userId: string, holder: string): Promise<void>;
  /** Removes slots of killed processes. @returns how many rows were removed */
  removeOld(): Promise<number>;
}

export function streamSlotStore(database: Database): StreamSlotStore {
  const queries = asOwner(database);
  return {
    async take(userId, holder, { places, lastsS }) {
      const [row] = await queries.query<{ is_mine: boolean }>(
        'select private.take_stream_place($1, $2, $3, $4) as is_mine',
        [userId, holder, places, lastsS],
      );
      return row?.is_mine === true;
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
