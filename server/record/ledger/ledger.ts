/** The ledger's jobs and routes: sealing, new partitions, removal of old documents, and publication. */
import type { Hono } from 'hono';
import { closeAll } from '../../platform/close-all.ts';
import { startDocumentRetention } from './document-retention.ts';
import { type LedgerRouteDeps, ledgerRoutes } from './ledger-routes.ts';
import { startRecordPartitions } from './record-partitions.ts';
import { type SealingDeps, startSealing } from './sealing.ts';

export interface Ledger {
  routes: Hono;
  close(): Promise<void>;
}

export function openLedger(deps: SealingDeps & LedgerRouteDeps): Ledger {
  const jobs = [startSealing(deps), startDocumentRetention(deps), startRecordPartitions(deps)];
  return { routes: ledgerRoutes(deps), close: () => closeAll(jobs.map((job) => () => job.close())) };
}
