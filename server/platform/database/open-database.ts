import type { Logger } from '../telemetry/log.ts';
import type { Database } from './database.ts';
import { openPgliteDatabase } from './pglite/pglite-database.ts';
import type { Vacuumed } from './pglite/pglite-vacuum.ts';
import { openPostgresDatabase } from './postgres/postgres-database.ts';
import type { Pooled } from './session-pool.ts';

export interface OpenDatabaseOptions {
  /** Null for PGlite in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** PGlite only, because PostgreSQL decides it by its own settings: an acknowledged write survives a power cut. */
  isDurable: boolean;
  /** Offset of the product's clock from the system clock in milliseconds; zero except under the test clock. */
  clockOffsetMs: () => number;
  log: Logger;
  /** Time limit of one statement. Default 5 s. */
  statementLimitMs?: number;
  /** The same limit for visitors and users, on PostgreSQL. Default 200 ms. */
  callerLimitMs?: number;
  /** PostgreSQL connections of this process. Default 10. */
  poolSize?: number;
  /** How long a caller may wait in the queue. Default 15 s. */
  maxWaitMs?: number;
}

/** Limits the worst statement that the table grammar allows, however large the table: docs/decisions/014. */
export const CALLER_LIMIT_MS = 200;

/**
 * @throws DataFolderInUse, AppError `database/unavailable`; Error if the folder can't be opened or the server is too
 * old
 */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database & Pooled & Partial<Vacuumed>> {
  const { databaseUrl, dataDir, isDurable, clockOffsetMs, log } = options;
  const limits = {
    clockOffsetMs,
    log,
    statementLimitMs: options.statementLimitMs ?? 5000,
    callerLimitMs: options.callerLimitMs ?? CALLER_LIMIT_MS,
    maxWaitMs: options.maxWaitMs ?? 15_000,
  };
  if (databaseUrl === null) return openPgliteDatabase({ ...limits, dataDir, isDurable });
  return openPostgresDatabase({ ...limits, url: databaseUrl, poolSize: options.poolSize ?? 10 });
}
