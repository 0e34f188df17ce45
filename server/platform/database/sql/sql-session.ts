/**
 * One connection, taken from the driver for good: it never reconnects by itself, so no statement can slip out of its
 * transaction onto a fresh connection, where the login's own rights would apply.
 */
import postgres from 'postgres';
import type { Row } from '../database.ts';
import { toDatabaseError, unavailable } from './sql-errors.ts';
import { type SqlValue, sqlTypes, withoutNul } from './sql-values.ts';

export type SqlAddress = { url: string } | { socketPath: string };

export interface SqlAnswer {
  /** Of several statements in one text: the rows of all, one after another. */
  rows: Row[];
  /** Command tag of the last statement: SELECT, COMMIT, ROLLBACK ... */
  command: string;
}

export interface SqlSession {
  readonly isBroken: boolean;
  /**
   * Sends at once; answers come in the order of sending.
   * @param values  null: the text may hold several statements; else exactly one
   * @param isKept  the server keeps the plan: only for texts from a closed list, since each costs memory for good
   * @throws what toDatabaseError makes of it
   */
  send(text: string, values: readonly SqlValue[] | null, isKept?: boolean): Promise<SqlAnswer>;
  /** Cuts the connection; everything pending is refused with `reason`. */
  destroy(reason: unknown): void;
  /** Says goodbye; call it with nothing pending. */
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

  function send(text: string, values: readonly SqlValue[] | null, isKept = false): Promise<SqlAnswer> {
    if (isBroken) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      pending.add(reject);
      const options = { prepare: isKept, ...(values === null ? {} : { simple: false }) };
      withoutAsking(reserved.unsafe(withoutNul(text), [...(values ?? [])], options))
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
 * The driver asks the server for the parameters' types and waits for them before it sends any. Ours are text and need no
 * type, so statement, values and the closing commit leave together. A driver without this property just asks again.
 */
function withoutAsking<Q extends object>(query: Q): Q {
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
    // The driver hands notifications of its own connection to this option, which its types do not name.
    ...(onNotify === undefined ? {} : { onnotify: onNotify }),
    connection: { application_name: 'kat', TimeZone: 'UTC', DateStyle: 'ISO', IntervalStyle: 'iso_8601' },
  };
  if ('url' in address) return postgres(address.url, options);
  return postgres({ ...options, path: address.socketPath, user: 'postgres', database: 'postgres' });
}

type DriverResult = { command?: string } & Iterable<unknown>;

/** One result, or for several statements a plain array of results. */
function toAnswer(result: DriverResult): SqlAnswer {
  if (result.command !== undefined) return { rows: [...result] as Row[], command: result.command };
  const results = [...result] as DriverResult[];
  return { rows: results.flatMap((one) => [...one] as Row[]), command: results.at(-1)?.command ?? '' };
}
