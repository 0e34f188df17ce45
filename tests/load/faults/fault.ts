/** The type of a fault scenario and the row that it reports. */
import type { Recovery, Verdict } from './acknowledged.ts';

export interface FaultOptions {
  /** How often the fault is repeated. Default: the scenario's own. */
  rounds?: number;
  /** Fewer writers and waits: checks that the scenario runs, not its results. */
  isTiny?: boolean;
  /** With the embedded database: start from this folder, which is removed at the end. Default: a new one. */
  dataDir?: string;
}

export interface FaultReport extends Verdict {
  fault: string;
  /** One entry per round. */
  recoveryMs: Recovery[];
}

/** A fault that cannot be made here: a tool or a right is missing. It has not passed. */
export interface SkippedFault {
  fault: string;
  skipped: string;
}

/** Thrown if a service cannot be started here at all: the fault was not made, and nothing is lost. */
export class MeansMissing extends Error {
  override readonly name = 'MeansMissing';
}

/** Runs to its end and cleans up. @throws Error if nothing was acknowledged again in time; MeansMissing */
export type Fault = (options: FaultOptions) => Promise<FaultReport>;

/** A fault that needs a tool or a right that not every machine has. */
export type FaultWithMeans = (options: FaultOptions) => Promise<FaultReport | SkippedFault>;
