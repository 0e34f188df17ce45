import { setTimeout as sleep } from 'node:timers/promises';
import { reconnectDelayMs } from '#domain/time/backoff.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { Database } from '../database.ts';
import { notificationHub } from '../notification-hub.ts';
import { livenessWatch } from '../pglite/liveness-watch.ts';
import { sessionDatabase } from '../session-database.ts';
import { type Pooled, type SessionPool, sessionPool } from '../session-pool.ts';
import { unavailable } from '../sql/sql-errors.ts';
import { openSession, type SessionEvents, type SqlSession } from '../sql/sql-session.ts';
import { postgresAnswers } from './postgres-probe.ts';

export interface PostgresOptions {
  url: string;
  poolSize: number;
  clockOffsetMs: () => number;
  log: Logger;
  statementLimitMs: number;
  /** The limit for visitors and users, enforced by the server. */
  callerLimitMs: number;
  maxWaitMs: number;
}

/** The server's statement_timeout acts first; the watchdog is for a server that no longer responds. */
const WATCHDOG_SLACK_MS = 5000;

/**
 * A client machine that vanishes closes no connection, and PostgreSQL would hold its sessions' locks for two hours.
 * These settings reduce that to half a minute. A connection through a Unix socket ignores them.
 */
const PEER_LIMITS = `select set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '4', false), set_config('tcp_user_timeout', '30000', false)`;

/** @throws AppError `database/unavailable`; SqlError when the login is refused or the server is older than 15 */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database & Pooled> {
  const { url, log, maxWaitMs } = options;
  let isClosed = false;
  let listener: SqlSession | null = null;

  const watch = livenessWatch({
    probe: (signal) => postgresAnswers(url, signal),
    onUnresponsive() {
      log.error('the database is not responding: requests that need it are refused until it does');
      pool.refuseWaiting(unavailable());
      // The server may have closed these sessions in the meantime without being able to report it.
      pool.dropIdle();
    },
    onResponsive(unresponsiveMs) {
      log.info({ silentMs: unresponsiveMs }, 'the database is responding again');
      if (listener === null || listener.isBroken) return;
      listener.destroy(unavailable());
      void listenOn();
    },
    monotonicMs: () => performance.now(),
    every(tick, ms) {
      const timer = setInterval(tick, ms).unref();
      return () => clearInterval(timer);
    },
  });

  const pool = sessionPool({ size: options.poolSize, maxWaitMs, open: openIfResponsive });
  const use: SessionPool['use'] = (work) => (watch.isUnresponsive() ? Promise.reject(unavailable()) : pool.use(work));
  const statements = sessionDatabase({
    pool: { ...pool, use },
    liveness: watch,
    clockOffsetMs: options.clockOffsetMs,
    statementLimitMs: options.statementLimitMs,
    callerLimitMs: options.callerLimitMs,
    watchdogSlackMs: WATCHDOG_SLACK_MS,
    onStuck: (statement) => log.warn({ statement }, 'the database server did not answer in time'),
  });

  // The first listen opens it; a pool of one gives the same turn-taking as with PGlite.
  const listenerPool = sessionPool({ size: 1, maxWaitMs, open: openListener });
  const hub = notificationHub((work) => listenerPool.use(work));

  async function openPeer(events: SessionEvents = {}): Promise<SqlSession> {
    const session = await openSession({ url }, { onAnswer: watch.recordResponse, ...events });
    try {
      await session.send(PEER_LIMITS, null);
      return session;
    } catch (error) {
      session.destroy(error);
      throw error;
    }
  }

  /** Gives up when the database becomes unresponsive; a session that opens later is then closed. */
  function openIfResponsive(): Promise<SqlSession> {
    const refusal = Promise.withResolvers<never>();
    let isRefused = false;
    const opening = openPeer().then((session) => {
      if (isRefused) session.destroy(unavailable());
      return session;
    });
    const giveUp = (): void => {
      isRefused = true;
      refusal.reject(unavailable());
    };
    return Promise.race([watch.wait(opening, giveUp), refusal.promise]);
  }

  async function openListener(): Promise<SqlSession> {
    listener = await openPeer({ onNotify: hub.deliver, onBroken: () => void listenOn() });
    await hub.listenAgain(listener);
    return listener;
  }

  /** Reconnects a lost listener automatically, because no caller would trigger it. */
  async function listenOn(): Promise<void> {
    for (let attempt = 0; !isClosed; attempt += 1) {
      await sleep(reconnectDelayMs(attempt, Math.random));
      try {
        if (!isClosed) await listenerPool.use(async () => {});
        return;
      } catch (error) {
        log.warn({ err: error }, 'the listening connection could not be opened');
      }
    }
  }

  try {
    const [server] = await pool.use(
      async (session) =>
        (await session.send("select current_setting('server_version_num')::int as version", null)).rows,
    );
    if (typeof server?.version !== 'number' || server.version < 150_000)
      throw new Error('Kat needs PostgreSQL 15 or newer.');
  } catch (error) {
    watch.close();
    await pool.end();
    throw error;
  }

  return {
    kind: 'postgres',
    ...statements,
    pool: pool.state,
    onQueueMoved: pool.onQueueMoved,
    listen: (channel, handler) => (isClosed ? Promise.reject(unavailable()) : hub.listen(channel, handler)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      watch.close();
      await Promise.all([pool.end(), listenerPool.end()]);
    },
  };
}
