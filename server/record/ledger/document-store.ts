/** Documents: the hash in their record, and the removal of expired ones. */
import { type Database, OWNER } from '../../platform/database/database.ts';

const BATCH = 2000;

/** SQL: the document hash in the row `r` of private.track_records. */
export const DOCUMENT_HASH = "decode(translate(r.body::jsonb ->> 'document', '-_', '+/') || '=', 'base64')";

export interface DocumentStore {
  /** Deletes one batch, so that no query waits for it. @returns rows deleted, 0 when none is left */
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
