/** Receives all other capabilities as functions; only the composition imports it. docs/decisions/034-operations.md */
import { OPERATIONS_FUNCTIONS } from '#domain/contract/admin-functions.ts';
import { contractFunctions, type ServerFunction } from '../platform/http/calls/server-function.ts';
import { startOldRows } from './old-rows.ts';
import type { OperationsDeps } from './operations-deps.ts';
import { operationsHandlers } from './operations-functions.ts';
import { openProcessMeter } from './process-meter.ts';
import type { SiteFiguresDeps } from './site-figures.ts';
import { type SnapshotDeps, sharedSnapshot } from './snapshot.ts';
import { startVacuum, type VacuumDeps } from './vacuum-job.ts';

export interface OperationsOptions extends Omit<SnapshotDeps, 'process' | 'database'>, VacuumDeps {
  version: string;
}

export interface Operations {
  functions: readonly ServerFunction[];
  /** For monitoring systems. */
  watched: Pick<SiteFiguresDeps, 'process' | 'snapshot'>;
  close(): Promise<void>;
}

export function openOperations(options: OperationsOptions): Operations {
  const process = openProcessMeter(options);
  const { database } = options;
  const jobs = [startOldRows(options), startVacuum(options)];
  const deps: OperationsDeps = { database, snapshot: sharedSnapshot({ ...options, process }) };
  return {
    watched: { process, snapshot: deps.snapshot },
    functions: contractFunctions(OPERATIONS_FUNCTIONS, operationsHandlers(deps)),
    async close() {
      process.close();
      for (const job of jobs) await job?.close();
    },
  };
}
