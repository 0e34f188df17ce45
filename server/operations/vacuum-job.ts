/** The job that vacuums the embedded database. A PostgreSQL server vacuums automatically. */
import type { Database } from '../platform/database/database.ts';
import type { Vacuumed } from '../platform/database/pglite/pglite-vacuum.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { type Job, startJob } from '../platform/processes/schedule.ts';
import type { Logger } from '../platform/telemetry/log.ts';

export interface VacuumDeps {
  database: Database & Partial<Vacuumed>;
  log: Logger;
}

const PERIOD_MS = 10 * 60_000;
/** Covers a large folder that was never vacuumed. */
const LIMIT_MS = 10 * 60_000;

/** Null: the database server vacuums it. */
export function startVacuum({ database, log }: VacuumDeps): Job | null {
  const { vacuum } = database;
  if (vacuum === undefined) return null;
  return startJob({
    name: 'vacuum',
    periodMs: PERIOD_MS,
    limitMs: LIMIT_MS,
    store: jobStore(database),
    log,
    async run(signal) {
      const startedMs = performance.now();
      const tables = await vacuum(signal);
      log.debug({ tables: tables.length, tookMs: Math.round(performance.now() - startedMs) }, 'tables were vacuumed');
      return undefined;
    },
  });
}
