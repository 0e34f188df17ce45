/**
 * One connection, reserved from the driver permanently. It never reconnects automatically, so no statement can move
 * from its transaction to a new connection, where the login's full rights would apply.
 */
import type { Socket } from 'node:net';
import postgres from 'postgres';
import type { Row } from '../database.ts';
import { toDatabaseError, unavailable } from './sql-errors.ts';
import { type SqlValue, sqlTypes, withoutNul } from './sql-values.ts';
import { messageStream } from './wire/message-stream.ts';
import { ANSWER, readNotification } from './wire/messages.ts';
import { openSocket, type SocketAddress, tlsModeOf } from './wire/open-socket.ts';
import {
  type BatchMaker,
  type BatchStep,
  batchMaker,
  isPlanRefusal,
  type StatementBatch,
  type ValueParser,
} from './wire/statement-batch.ts';

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
  /**
   * Sends all in one message, as one transaction; call it with nothing pending. Without a `begin` among them they are
   * committed, and after a refusal nothing is left of them. @throws the result of toDatabaseError
   * @returns the rows of all steps that keep them
   */
  sendTogether(steps: readonly BatchStep[]): Promise<Row[]>;
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

/**
 * @param loginLimitS  for the connection, and again for the login
 * @throws AppError `database/unavailable`; SqlError when the login is refused
 */
export async function openSession(
  address: SqlAddress,
  events: SessionEvents = {},
  loginLimitS: number = CONNECT_TIMEOUT_S,
): Promise<SqlSession> {
  let isBroken = false;
  const pending = new Set<(reason: unknown) => void>();

  function breakWith(reason: unknown): void {
    isBroken = true;
    for (const refuse of pending) refuse(reason);
    pending.clear();
  }

  const line = sharedLine(events);
  const notConnected = Promise.withResolvers<never>();
  const sql = connect(address, loginLimitS, {
    onNotify: events.onNotify,
    onClose() {
      if (isBroken) return;
      breakWith(unavailable());
      events.onBroken?.();
    },
    async openSocket(options) {
      try {
        // After a login that took too long the driver would open another connection, which no one would close.
        if (isBroken) throw unavailable();
        const tls = 'url' in address ? tlsModeOf(address.url) : null;
        const socket = await openSocket(options, tls, loginLimitS * 1000);
        if (!isBroken) return line.join(socket);
        socket.destroy();
        throw unavailable();
      } catch (error) {
        notConnected.reject(error);
        throw error;
      }
    },
  });
  const batches: BatchMaker = batchMaker((typeOid) => parsersOf(sql)[typeOid]);

  let reserved: postgres.ReservedSql;
  try {
    reserved = await Promise.race([sql.reserve(), notConnected.promise]);
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

  async function sendTogether(steps: readonly BatchStep[]): Promise<Row[]> {
    try {
      return await sendBatch(steps);
    } catch (error) {
      if (!isPlanRefusal(error)) throw toDatabaseError(error);
      batches.forgetPlans();
      return await sendBatch(steps).catch((again: unknown) => Promise.reject(toDatabaseError(again)));
    }
  }

  function sendBatch(steps: readonly BatchStep[]): Promise<Row[]> {
    if (isBroken) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      pending.add(reject);
      const batch = batches.make(steps);
      line.send(batch, () => {
        pending.delete(reject);
        events.onAnswer?.();
        try {
          resolve(batch.rows());
        } catch (error) {
          reject(error);
        }
      });
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
    sendTogether,
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

interface SharedLine {
  /** Called before the driver reads from the socket. @returns the same socket */
  join(socket: Socket): Socket;
  send(batch: StatementBatch, onReady: () => void): void;
}

/** One connection for the driver, which logs in and sends single statements, and for our batches. */
function sharedLine(events: SessionEvents): SharedLine {
  let socket: Socket | null = null;
  let readByDriver: ((chunk: Buffer) => void) | null = null;
  let current: { batch: StatementBatch; onReady: () => void } | null = null;

  const read = messageStream((bytes, at, end) => {
    if (current === null) {
      readByDriver?.(bytes.subarray(at, end));
    } else if (bytes[at] === ANSWER.notification) {
      const { channel, payload } = readNotification(bytes, at, end);
      events.onNotify?.(channel, payload);
    } else if (current.batch.read(bytes, at, end)) {
      const { onReady } = current;
      current = null;
      onReady();
    }
  });

  return {
    join(opened) {
      socket = opened;
      opened.on('newListener', (event, listener) => {
        if (event !== 'data' || listener === read) return;
        readByDriver = listener as (chunk: Buffer) => void;
        // The listener is added after this event.
        queueMicrotask(() => opened.off('data', listener));
      });
      return opened.on('data', read);
    },
    send(batch, onReady) {
      current = { batch, onReady };
      socket?.write(batch.bytes);
    },
  };
}

/** The driver's own parsers of values, with those of arrays, which it learns when it logs in. */
function parsersOf(sql: postgres.Sql): Readonly<Record<number, ValueParser>> {
  return sql.options.parsers as Readonly<Record<number, ValueParser>>;
}

interface DriverEvents {
  onNotify: ((channel: string, payload: string) => void) | undefined;
  onClose: () => void;
  openSocket: (options: SocketAddress) => Promise<Socket>;
}

function connect(
  address: SqlAddress,
  loginLimitS: number,
  { onNotify, onClose, openSocket }: DriverEvents,
): postgres.Sql {
  const options = {
    max: 1,
    types: sqlTypes(),
    connect_timeout: loginLimitS,
    max_lifetime: null,
    onnotice: () => {},
    onclose: onClose,
    // It encrypts itself.
    socket: openSocket,
    ssl: false,
    // The driver passes notifications on its connection to this option, which its types omit.
    ...(onNotify === undefined ? {} : { onnotify: onNotify }),
    connection: { application_name: 'kat', TimeZone: 'UTC', DateStyle: 'ISO', IntervalStyle: 'iso_8601' },
  };
  if ('url' in address) return postgres(address.url, options as Parameters<typeof postgres>[1]);
  const path = { path: address.socketPath, user: 'postgres', database: 'postgres' };
  return postgres({ ...options, ...path } as Parameters<typeof postgres>[0] & object);
}

type DriverResult = { command?: string } & Iterable<unknown>;

/** A single result, or a plain array of results for several statements. */
function toAnswer(result: DriverResult): SqlAnswer {
  if (result.command !== undefined) return { rows: [...result] as Row[], command: result.command };
  const results = [...result] as DriverResult[];
  return { rows: results.flatMap((one) => [...one] as Row[]), command: results.at(-1)?.command ?? '' };
}
