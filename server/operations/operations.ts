/**
 * The operator's view: how the parts of a running site fare, and what an admin does about it. It stands above all other
 * capabilities and is given them as functions; nobody but what composes imports it. See docs/decisions/034-operations.md.
 */
import type { Entitlements } from '../billing/entitlements.ts';
import type { ServerFunction } from '../platform/http/server-function.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { acknowledgeAlarmFunction } from './functions/acknowledge-alarm.ts';
import { operationsState } from './functions/operations-state.ts';
import { startOldRows } from './old-rows.ts';
import type { OperationsDeps } from './operations-deps.ts';
import { openProcessMeter } from './process-meter.ts';
import type { FiguresDeps } from './site-figures.ts';
import { type SnapshotDeps, sharedSnapshot } from './snapshot.ts';

export interface OperationsOptions extends Omit<SnapshotDeps, 'process'> {
  version: string;
  entitlements: Entitlements;
  log: Logger;
}

export interface Operations {
  functions: readonly ServerFunction[];
  /** For machines that watch. */
  watched: Pick<FiguresDeps, 'process' | 'snapshot'>;
  close(): Promise<void>;
}

export function openOperations(options: OperationsOptions): Operations {
  const process = openProcessMeter(options);
  const { database, entitlements } = options;
  const oldRows = startOldRows(options);
  const deps: OperationsDeps = { database, entitlements, snapshot: sharedSnapshot({ ...options, process }) };
  return {
    watched: { process, snapshot: deps.snapshot },
    functions: [operationsState(deps), acknowledgeAlarmFunction(deps)],
    async close() {
      process.close();
      await oldRows.close();
    },
  };
}
