import type { Hono } from 'hono';
import type { Core } from '../../core.ts';
import { closeAll } from '../../platform/close-all.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import { startDocumentRetention } from './document-store.ts';
import { type LedgerRouteDeps, ledgerRoutes } from './ledger-routes.ts';
import { makeRoomAhead } from './ledger-store.ts';
import { type SealingDeps, startSealing } from './sealing.ts';

export interface Ledger {
  routes: Hono;
  close(): Promise<void>;
}

export function openLedger(deps: SealingDeps & LedgerRouteDeps): Ledger {
  const jobs = [startSealing(deps), startDocumentRetention(deps), startRecordPartitions(deps)];
  return { routes: ledgerRoutes(deps), close: () => closeAll(jobs.map((job) => () => job.close())) };
}

/** Fifteen days at the maximum rate, thirty at the rate of the house's forecasts and chances alone. */
const AHEAD_RECORDS = 250_000;
const PERIOD_MS = 6 * 3_600_000;

/** Creates the record's next partition long before it is needed; after a failure the first writer in it does. */
export function startRecordPartitions({ database, log }: Pick<Core, 'database' | 'log'>): Job {
  return startJob({
    name: 'record-partitions',
    periodMs: PERIOD_MS,
    store: jobStore(database),
    log,
    async run() {
      const created = await makeRoomAhead(database, AHEAD_RECORDS);
      if (created > 0) log.info({ made: created }, 'partitions of the record were made');
      return undefined;
    },
  });
}
