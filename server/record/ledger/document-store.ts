/** Documents that are no longer kept: a batch at a time, so that nobody waits for it. */
import { type Database, OWNER } from '../../platform/database.ts';

const BATCH = 2000;

export interface DocumentStore {
  /** @returns how many went, 0 when there is none left */
  removeBefore(epochMs: number): Promise<number>;
}

export function documentStore(database: Database): DocumentStore {
  return {
    async removeBefore(epochMs) {
      const rows = await database.query(
        OWNER,
        `delete from private.track_documents d using (
           select hash from private.track_documents where stored_at < $1::text::timestamptz
            order by stored_at limit $2::int) old
          where d.hash = old.hash returning 1 as one`,
        [new Date(epochMs).toISOString(), BATCH],
      );
      return rows.length;
    },
  };
}
