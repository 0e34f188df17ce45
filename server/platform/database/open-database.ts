import type { Logger } from '../telemetry/log.ts';
import { step } from '../telemetry/steps.ts';
import type { Database, DatabaseCaller, QueryOptions, Row, Transaction, TransactionOptions } from './database.ts';
import { openPgliteDatabase } from './pglite/pglite-database.ts';
import type { Vacuumed } from './pglite/pglite-vacuum.ts';
import { openPostgresDatabase } from './postgres/postgres-database.ts';
import type { Pooled } from './postgres/session-pool.ts';

export interface OpenDatabaseOptions {
  /** Null for PGlite in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
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

const KINDS = new Set(['select', 'insert', 'update', 'delete', 'with', 'merge', 'call']);

/** Wraps a database so that each statement is a traced step, named by its kind and never by its text or values. */
export function databaseSteps<Kept extends Database>(database: Kept): Kept {
  return {
    ...database,
    query: <T extends Row>(caller: DatabaseCaller, text: string, params?: readonly unknown[], options?: QueryOptions) =>
      step({ kind: 'statement', name: kindOf(text) }, () => database.query<T>(caller, text, params, options)),
    transaction: <T>(caller: DatabaseCaller, work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) =>
      step({ kind: 'transaction', name: 'transaction' }, () =>
        database.transaction<T>(caller, (tx) => work({ query: stepped(tx) }), options),
      ),
  };
}

function stepped(tx: Transaction): Transaction['query'] {
  return <T extends Row>(text: string, params?: readonly unknown[]) =>
    step({ kind: 'statement', name: kindOf(text) }, () => tx.query<T>(text, params));
}

function kindOf(text: string): string {
  const word = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? '';
  return KINDS.has(word) ? word : 'other';
}
