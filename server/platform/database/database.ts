/**
 * The interface through which the rest of the server uses the database. One driver serves both kinds: PGlite through
 * its socket, and PostgreSQL by address. A role is only ever set inside a transaction.
 */
export type DatabaseRole = 'anon' | 'authenticated' | 'service_role' | 'owner';

/**
 * Identifies the caller. `owner` is the login role (migrations, auth tables, jobs); other roles last one transaction.
 */
export interface DatabaseCaller {
  role: DatabaseRole;
  /** The verified token's claims, readable in SQL by auth.jwt() and auth.uid(); null for anon and owner. */
  claims: Readonly<Record<string, unknown>> | null;
}

export const OWNER: DatabaseCaller = { role: 'owner', claims: null };
export const SERVICE: DatabaseCaller = { role: 'service_role', claims: { role: 'service_role' } };

export type Row = Record<string, unknown>;

/**
 * Values out: null, text, numbers, bigints, booleans, Dates, bytes, arrays of these (for `$1::text[]`). Each value
 * takes the type that its place in the statement requires. The caller sends objects as JSON text (`$1::jsonb`), never
 * implicitly. Values in: timestamptz as ISO text with microseconds (`2026-11-20T10:00:00.5+00:00`), bigint as a number
 * while safe, json and jsonb parsed, numeric and date as text.
 */
export interface Transaction {
  /** @param params values for $1, $2 ...; undefined allows several statements, whose rows are concatenated */
  query<T extends Row = Row>(text: string, params?: readonly unknown[]): Promise<T[]>;
}

export interface TransactionOptions {
  /** Time limit of each statement in milliseconds; 0 for none (migrations). */
  statementLimitMs?: number;
  /** Every statement sees the database as of the first one, whatever others write in the meantime. */
  isOneMoment?: boolean;
}

export interface QueryOptions {
  /** The limit for visitors and users instead of the default, in milliseconds; never more than the server's limit. */
  callerLimitMs?: number;
  /** Each session stores the plan, for statements that are sent again and again. */
  isPrepared?: boolean;
}

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /**
   * Runs one statement under one role, in one pipelined transaction (one round trip).
   * @throws AppError `database/unavailable` (died or restarted), `database/busy` (time limit); SqlError for SQL's
   * refusals
   */
  query<T extends Row = Row>(
    caller: DatabaseCaller,
    text: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>;
  /**
   * Await only `tx` inside: PGlite has a single connection. `work` must change nothing but the database, because it
   * runs again after losing to another transaction (deadlock, 40P01; 40001).
   */
  transaction<T>(
    caller: DatabaseCaller,
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /**
   * Calls `handler` for each NOTIFY on `channel`, on both kinds. After a lost connection it calls it with an empty
   * payload, because notifications sent in the meantime are lost. Returns a function that unsubscribes.
   */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export type Queries = Pick<Transaction, 'query'>;

export function asOwner(database: Database): Queries {
  return {
    query: <T extends Row>(text: string, params?: readonly unknown[]) => database.query<T>(OWNER, text, params),
  };
}

/** A refusal from PostgreSQL with its original fields. */
export class SqlError extends Error {
  override readonly name = 'SqlError';
  /** SQLSTATE, for example 42501. */
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;

  constructor(code: string, message: string, details: string | null, hint: string | null, cause: unknown) {
    super(message, { cause });
    this.code = code;
    this.details = details;
    this.hint = hint;
  }
}
