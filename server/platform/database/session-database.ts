import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import {
  type Database,
  type DatabaseCaller,
  type QueryOptions,
  type Row,
  SqlError,
  type Transaction,
  type TransactionOptions,
} from './database.ts';
import type { LivenessWatch } from './pglite/liveness-watch.ts';
import type { SessionPool } from './session-pool.ts';
import { unavailable } from './sql/sql-errors.ts';
import type { SqlSession } from './sql/sql-session.ts';
import { type SqlValue, toSqlValues, withoutNul } from './sql/sql-values.ts';
import type { BatchStep } from './sql/wire/statement-batch.ts';

export interface SessionDatabaseOptions {
  pool: SessionPool;
  /** Offset of the product's clock from the system clock in milliseconds; readable in SQL by private.clock_now(). */
  clockOffsetMs: () => number;
  /** Time limit of one statement, enforced by the server where it can. */
  statementLimitMs: number;
  /** The same limit for visitors and users, as in a hosted project: requests of strangers must be cheap. */
  callerLimitMs: number;
  /** Extra time before the watchdog cuts the connection, so that the server's limit acts first. Zero if it has none. */
  watchdogSlackMs: number;
  /** Set for a database that may become unresponsive; waiting callers then get `database/unavailable`. */
  liveness?: Pick<LivenessWatch, 'wait'>;
  /** Set for a database whose commits reach the disk later: resolves when those so far are there. */
  settle?: () => Promise<void>;
  /** Called when a statement exceeded its time and only we can end it. @param statement its start, without values */
  onStuck: (statement: string) => void;
}

/** JIT compilation is off: it turned a catalogue read of 5 ms into 600 ms (measured on PostgreSQL 15). */
const SET_CALLER = `select set_config('request.jwt.claims', $2, true), set_config('statement_timeout', $3, true),
  set_config('kat.clock_offset_s', $4, true), set_config('jit', 'off', true), set_config('role', $1, true)`;

/** A deadlock in which this transaction was the victim, or data that it read has since changed. */
const RETRIED_CODES = new Set(['40P01', '40001']);
const RETRY_PAUSE_MS = 50;
const NAME_CHARS = 200;

export function sessionDatabase(options: SessionDatabaseOptions): Pick<Database, 'query' | 'transaction'> {
  const { pool, statementLimitMs } = options;

  /** The first attempt leaves nothing in the database; a second refusal is thrown. */
  async function retryOnce<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SqlError) || !RETRIED_CODES.has(error.code)) throw error;
      // The other transaction goes first: retried immediately, both could collide again.
      await sleep(RETRY_PAUSE_MS);
      return attempt();
    }
  }

  /** Also after a refusal: it may rest on a row that is not on the disk yet. The session serves others meanwhile. */
  async function settled<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      await options.settle?.();
    }
  }

  function callerValues(caller: DatabaseCaller, limitMs: number, callerLimitMs = options.callerLimitMs): SqlValue[] {
    const isOwner = caller.role === 'owner';
    const claims = isOwner ? '' : JSON.stringify(caller.claims ?? { role: caller.role });
    const offsetS = String(options.clockOffsetMs() / 1000);
    const isVisitor = caller.role === 'anon' || caller.role === 'authenticated';
    const serverLimitMs = isVisitor ? Math.min(limitMs, callerLimitMs) : limitMs;
    return toSqlValues([isOwner ? 'none' : caller.role, claims, String(serverLimitMs), offsetS]);
  }

  /** Cuts the session when `work` is late: `database/busy`. Work without a limit survives an unresponsive database. */
  async function withWatchdog<T>(
    session: SqlSession,
    { text, limitMs }: { text: string; limitMs: number },
    work: Promise<T>,
  ): Promise<T> {
    if (limitMs === 0) return work;
    let isDone = false;
    const timer = setTimeout(async () => {
      // If this thread was busy, the response may already be in the socket: allow time to read it first.
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (isDone || session.isBroken) return;
      session.destroy(new AppError('database/busy'));
      options.onStuck(text.replace(/\s+/g, ' ').trim().slice(0, NAME_CHARS));
    }, limitMs + options.watchdogSlackMs);
    const { liveness } = options;
    try {
      return await (liveness === undefined ? work : liveness.wait(work, () => session.destroy(unavailable())));
    } finally {
      isDone = true;
      clearTimeout(timer);
    }
  }

  async function query<T extends Row = Row>(
    caller: DatabaseCaller,
    text: string,
    params: readonly unknown[] = [],
    queryOptions: QueryOptions = {},
  ): Promise<T[]> {
    const setup = callerValues(caller, statementLimitMs, queryOptions.callerLimitMs);
    const statement = {
      text: withoutNul(text),
      values: toSqlValues(params),
      isPrepared: queryOptions.isPrepared === true,
    };
    return settled(retryOnce(() => pool.use((session) => runStatement<T>(session, setup, statement))));
  }

  async function runStatement<T extends Row>(
    session: SqlSession,
    setup: SqlValue[],
    { text, values, isPrepared }: { text: string; values: SqlValue[]; isPrepared: boolean },
  ): Promise<T[]> {
    const steps = [setCaller(setup), { text, values, planKey: isPrepared ? `${setup[0]} ${text}` : null }];
    return (await withWatchdog(session, { text, limitMs: statementLimitMs }, together(session, steps))) as T[];
  }

  async function transaction<T>(
    caller: DatabaseCaller,
    work: (tx: Transaction) => Promise<T>,
    transactionOptions: TransactionOptions = {},
  ): Promise<T> {
    const limitMs = transactionOptions.statementLimitMs ?? statementLimitMs;
    const setup = callerValues(caller, limitMs);
    const begin = transactionOptions.isOneMoment ? 'begin isolation level repeatable read' : 'begin';
    return settled(retryOnce(() => pool.use((session) => runTransaction(session, { begin, setup, limitMs }, work))));
  }

  async function runTransaction<T>(
    session: SqlSession,
    { begin, setup, limitMs }: { begin: string; setup: SqlValue[]; limitMs: number },
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    let isOpen = true;
    let firstRefusal: unknown;

    async function txQuery<R extends Row = Row>(text: string, params?: readonly unknown[]): Promise<R[]> {
      if (!isOpen) throw new Error('This transaction has ended');
      const values = params === undefined ? null : toSqlValues(params);
      try {
        return (await withWatchdog(session, { text, limitMs }, session.send(text, values))).rows as R[];
      } catch (error) {
        firstRefusal ??= error;
        throw error;
      }
    }

    try {
      const opening = together(session, [
        { text: begin, values: [], planKey: null, dropsRows: true },
        setCaller(setup),
      ]);
      await withWatchdog(session, { text: begin, limitMs }, opening);
      const result = await work({ query: txQuery });
      isOpen = false;
      const end = await withWatchdog(session, { text: 'commit', limitMs }, session.send('commit', null));
      // After a refusal that `work` swallowed, PostgreSQL rolls back and reports it only here.
      if (end.command !== 'COMMIT') throw firstRefusal ?? new Error('The transaction was rolled back');
      return result;
    } catch (error) {
      isOpen = false;
      await rollBack(session, limitMs);
      throw error;
    }
  }

  /** Outside a transaction a rollback only warns. A session that cannot even do this is not reused. */
  async function rollBack(session: SqlSession, limitMs: number): Promise<void> {
    if (session.isBroken) return;
    try {
      await withWatchdog(session, { text: 'rollback', limitMs }, session.send('rollback', null));
    } catch (error) {
      session.destroy(error);
    }
  }

  return { query, transaction };
}

function setCaller(values: SqlValue[]): BatchStep {
  return { text: SET_CALLER, values, planKey: SET_CALLER, dropsRows: true };
}

/** After any error that is not SQL's, the state of the session is unknown. */
async function together(session: SqlSession, steps: readonly BatchStep[]): Promise<Row[]> {
  try {
    return await session.sendTogether(steps);
  } catch (error) {
    if (!(error instanceof SqlError || isAppError(error))) session.destroy(error);
    throw error;
  }
}
