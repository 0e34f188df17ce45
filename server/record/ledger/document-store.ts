/** Documents: the hash in their record, and the removal of expired ones. */
import type { Core } from '../../core.ts';
import { type Database, OWNER } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';

const BATCH = 2000;

/** SQL: the document hash in the row `r` of private.track_records. */
export const DOCUMENT_HASH = "decode(translate(r.body::jsonb ->> 'document', '-_', '+/') || '=', 'base64')";

export interface DocumentStore {
  /** Deletes one batch, so that no query waits for it. @returns rows deleted, 0 when none is left */
  removeBefore(epochMs: number): Promise<number>;
}

function documentStore(database: Database): DocumentStore {
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

const RETENTION_MS = 90 * 86_400_000;
const PERIOD_MS = 3_600_000;

export type RetentionDeps = Pick<Core, 'database' | 'clock' | 'log'>;

export function startDocumentRetention(deps: RetentionDeps): Job {
  return startJob({
    name: 'record-documents',
    periodMs: PERIOD_MS,
    store: jobStore(deps.database),
    log: deps.log,
    async run(signal) {
      const removed = await removeOldDocuments(deps, signal);
      if (removed > 0) deps.log.info({ removed }, 'documents of old records were deleted');
      return undefined;
    },
  });
}

export async function removeOldDocuments({ database, clock }: RetentionDeps, signal: AbortSignal): Promise<number> {
  const store = documentStore(database);
  let removed = 0;
  for (let count = 1; count > 0 && !signal.aborted; removed += count) {
    count = await store.removeBefore(clock.nowMs() - RETENTION_MS);
  }
  return removed;
}
