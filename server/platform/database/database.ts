/**
 * What the rest of the server may ask of the database. One driver serves both kinds: PGlite behind its socket and
 * PostgreSQL by address. A role is only ever set inside a transaction.
 */
export type DatabaseRole = 'anon' | 'authenticated' | 'service_role' | 'owner';

/** Who asks. `owner` is the login role itself (migrations, auth tables, jobs); the others are set for one transaction. */
export interface DatabaseCaller {
  role: DatabaseRole;
  /** The verified token's claims, readable in SQL by auth.jwt() and auth.uid(); null for anon and owner. */
  claims: Readonly<Record<string, unknown>> | null;
}

export const OWNER: DatabaseCaller = { role: 'owner', claims: null };
export const SERVICE: DatabaseCaller = { role: 'service_role', claims: { role: 'service_role' } };

export type Row = Record<string, unknown>;

/**
 * Values out: null, text, numbers, bigints, booleans, Dates, bytes, arrays of these (for `$1::text[]`); each takes the
 * type its place in the statement asks for. Objects are sent as JSON text by the caller (`$1::jsonb`), never implicitly.
 * Values in: timestamptz as ISO text with microseconds (`2026-11-20T10:00:00.5+00:00`), bigint as a number while safe,
 * json and jsonb parsed, numeric and date as text.
 */
export interface Transaction {
  /** @param params values for $1, $2 ...; without any (undefined) the text may hold several statements, whose rows follow each other */
  query<T extends Row = Row>(text: string, params?: readonly unknown[]): Promise<T[]>;
}

export interface TransactionOptions {
  /** Time for each statement; 0 for none (migrations). */
  statementLimitMs?: number;
  /** Every statement sees the database as it was at the first, whatever others write meanwhile. */
  isOneMoment?: boolean;
}

export interface QueryOptions {
  /** Of visitors and users, in place of the usual limit; never more than the server's own. */
  callerLimitMs?: number;
}

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /**
   * One statement under one role, in one pipelined transaction (one round trip).
   * @throws AppError `database/unavailable` when the database died or was restarted meanwhile,
   *         `database/busy` when the statement passed its time limit; a SqlError for everything SQL refuses
   */
  query<T extends Row = Row>(
    caller: DatabaseCaller,
    text: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T[]>;
  /**
   * Several statements in one transaction. Await nothing but `tx` inside: PGlite is one connection. `work` runs a second
   * time when the first lost against another transaction (deadlock, 40P01; 40001): it changes nothing but the database.
   */
  transaction<T>(
    caller: DatabaseCaller,
    work: (tx: Transaction) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /**
   * Calls `handler` for each NOTIFY on `channel`, on both kinds, and with an empty payload after a lost connection: what
   * was said meanwhile is lost. Returns its undo.
   */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** What runs one statement: a transaction, or the database as its owner. */
export type Queries = Pick<Transaction, 'query'>;

export function asOwner(database: Database): Queries {
  return {
    query: <T extends Row>(text: string, params?: readonly unknown[]) => database.query<T>(OWNER, text, params),
  };
}

/** What PostgreSQL refused, with its fields as they came. */
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
