/** The database by setting: PGlite in the data folder, or PostgreSQL by address. Nothing else differs for the server. */

import type { Logger } from '../telemetry/log.ts';
import type { Database } from './database.ts';
import { openPgliteDatabase } from './pglite/pglite-database.ts';
import type { Vacuumed } from './pglite/pglite-vacuum.ts';
import { openPostgresDatabase } from './postgres/postgres-database.ts';
import type { Pooled } from './postgres/session-pool.ts';

export interface OpenDatabaseOptions {
  /** Null: PGlite in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  /** How far the product's clock stands from the system's; zero but under the test clock. */
  clockOffsetMs: () => number;
  log: Logger;
  /** One statement's time. Default 5 s. */
  statementLimitMs?: number;
  /** The same for visitors and users, on PostgreSQL. Default 200 ms. */
  callerLimitMs?: number;
  /** PostgreSQL connections of this process. Default 10. */
  poolSize?: number;
  /** How long a caller may stand in the queue. Default 15 s. */
  maxWaitMs?: number;
}

/** The worst statement that the table grammar allows ends here, however large the table: docs/decisions/014. */
export const CALLER_LIMIT_MS = 200;

/** @throws DataFolderInUse, AppError `database/unavailable`, Error when the folder cannot be opened or the server is too old */
export function openDatabase(options: OpenDatabaseOptions): Promise<Database & Pooled & Partial<Vacuumed>> {
  const { databaseUrl, dataDir, clockOffsetMs, log } = options;
  const limits = {
    clockOffsetMs,
    log,
    statementLimitMs: options.statementLimitMs ?? 5000,
    callerLimitMs: options.callerLimitMs ?? CALLER_LIMIT_MS,
    maxWaitMs: options.maxWaitMs ?? 15_000,
  };
  if (databaseUrl === null) return openPgliteDatabase({ ...limits, dataDir });
  return openPostgresDatabase({ ...limits, url: databaseUrl, poolSize: options.poolSize ?? 10 });
}
