/** Whole forecasts are stored for 90 days; their records, with the hashes, forever. */
import type { Clock } from '#domain/time/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { documentStore } from './document-store.ts';

const KEPT_MS = 90 * 86_400_000;
const PERIOD_MS = 3_600_000;

export interface RetentionDeps {
  database: Database;
  clock: Clock;
  log: Logger;
}

export function startDocumentRetention(deps: RetentionDeps): Job {
  return startJob({
    name: 'record-documents',
    periodMs: PERIOD_MS,
    store: jobStore(deps.database),
    log: deps.log,
    async run(signal) {
      const removed = await removeOldDocuments(deps, signal);
      if (removed > 0) deps.log.info({ removed }, 'documents of old records are gone');
      return undefined;
    },
  });
}

/** @returns how many were removed */
export async function removeOldDocuments({ database, clock }: RetentionDeps, signal: AbortSignal): Promise<number> {
  const store = documentStore(database);
  let removed = 0;
  for (let count = 1; count > 0 && !signal.aborted; removed += count) {
    count = await store.removeBefore(clock.nowMs() - KEPT_MS);
  }
  return removed;
}
