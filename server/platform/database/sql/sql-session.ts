/**
 * One connection, reserved from the driver permanently. It never reconnects automatically, so no statement can move
 * from its transaction to a new connection, where the login's full rights would apply.
 */
import postgres from 'postgres';
import type { Row } from '../database.ts';
import { toDatabaseError, unavailable } from './sql-errors.ts';
import { type SqlValue, sqlTypes, withoutNul } from './sql-values.ts';

export type SqlAddress = { url: string } | { socketPath: string };

export interface SqlAnswer {
  /** For several statements in one text, the rows of all, concatenated. */
  rows: Row[];
  /** Command tag of the last statement: SELECT, COMMIT, ROLLBACK ... */
  command: string;
}

export interface SqlSession {
  readonly isBroken: boolean;
  /**
   * Sends immediately; responses arrive in the order of sending. @throws the result of toDatabaseError
   * @param values null if the text may hold several statements; otherwise it must hold exactly one
   * @param isPrepared the server caches the plan: only for a closed list of texts, because each uses memory permanently
   */
  send(text: string, values: readonly SqlValue[] | null, isPrepared?: boolean): Promise<SqlAnswer>;
  /** Cuts the connection; everything pending is refused with `reason`. */
  destroy(reason: unknown): void;
  /** Closes the connection; call it with nothing pending. */
  end(): Promise<void>;
}

export interface SessionEvents {
  /** The connection ended without end() or destroy(). */
  onBroken?: () => void;
  /** The server answered a statement, with rows or a refusal. */
  onAnswer?: () => void;
  onNotify?: (channel: string, payload: string) => void;
}

const CONNECT_TIMEOUT_S = 10;

/** @throws AppError `database/unavailable`; SqlError when the login is refused */
export async function openSession(address: SqlAddress, events: SessionEvents = {}): Promise<SqlSession> {
  let isBroken = false;
  const pending = new Set<(reason: unknown) => void>();

  function breakWith(reason: unknown): void {
    isBroken = true;
    for (const refuse of pending) refuse(reason);
    pending.clear();
  }

  const sql = connect(address, events.onNotify, () => {
    if (isBroken) return;
    breakWith(unavailable());
    events.onBroken?.();
  });

  let reserved: postgres.ReservedSql;
  try {
    reserved = await sql.reserve();
  } catch (error) {
    isBroken = true;
    void sql.end({ timeout: 0 });
    throw toDatabaseError(error);
  }

  function send(text: string, values: readonly SqlValue[] | null, isPrepared = false): Promise<SqlAnswer> {
    if (isBroken) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      pending.add(reject);
      const options = { prepare: isPrepared, ...(values === null ? {} : { simple: false }) };
      withoutDescribe(reserved.unsafe(withoutNul(text), [...(values ?? [])], options))
        .then(
          (result) => {
            events.onAnswer?.();
            resolve(toAnswer(result));
          },
          (error: unknown) => {
            if (error instanceof postgres.PostgresError) events.onAnswer?.();
            reject(toDatabaseError(error));
          },
        )
        .finally(() => pending.delete(reject));
    });
  }

  function destroy(reason: unknown): void {
    if (isBroken) return;
    breakWith(reason);
    void sql.end({ timeout: 0 });
  }

  async function end(): Promise<void> {
    if (isBroken) return;
    isBroken = true;
    await sql.end({ timeout: 0 });
  }

  return {
    get isBroken() {
      return isBroken;
    },
    send,
    destroy,
    end,
  };
}

/**
 * Normally the driver first queries the parameters' types, and waits for them before it sends any values. Our values
 * are text and need no type, so the statement, its values and the commit are sent together. A driver without this
 * property simply queries the types again.
 */
function withoutDescribe<Q extends object>(query: Q): Q {
  return Object.defineProperty(query, 'describeFirst', { get: () => false, set: () => {} });
}

function connect(
  address: SqlAddress,
  onNotify: ((channel: string, payload: string) => void) | undefined,
  onClose: () => void,
): postgres.Sql {
  const options = {
    max: 1,
    types: sqlTypes(),
    connect_timeout: CONNECT_TIMEOUT_S,
    max_lifetime: null,
    onnotice: () => {},
    onclose: onClose,
    // The driver passes notifications on its connection to this option, which its types omit.
    ...(onNotify === undefined ? {} : { onnotify: onNotify }),
    connection: { application_name: 'kat', TimeZone: 'UTC', DateStyle: 'ISO', IntervalStyle: 'iso_8601' },
  };
  if ('url' in address) return postgres(address.url, options);
  return postgres({ ...options, path: address.socketPath, user: 'postgres', database: 'postgres' });
}

type DriverResult = { command?: string } & Iterable<unknown>;

/** A single result, or a plain array of results for several statements. */
function toAnswer(result: DriverResult): SqlAnswer {
  if (result.command !== undefined) return { rows: [...result] as Row[], command: result.command };
  const results = [...result] as DriverResult[];
  return { rows: results.flatMap((one) => [...one] as Row[]), command: results.at(-1)?.command ?? '' };
}
