/** Reference figures as a server has them: collectors on a sandbox market over HTTP, one database, our own addresses. */
import type { Hono } from 'hono';
import { type SandboxMarket, startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { createApp } from '../../server/app.ts';
import { type MetricsOptions, openMetrics } from '../../server/market/metrics.ts';
import { type Database, OWNER, type Row } from '../../server/platform/database.ts';
import { openTestDatabase, type TestDatabaseKind, testLog } from '../support/database.ts';

/** Its minutes pass quickly: the sandbox lets itself be asked 30 times in each. */
const hastyClock = { nowMs: () => Date.now() + 60 * performance.now() };

export interface MetricsServer {
  app: Hono;
  /** Paths asked of the services, without the sandbox's address. */
  calls: string[];
  close(): Promise<void>;
}

export interface MetricsWorld {
  database: Database;
  sandbox: SandboxMarket;
  /** Another server process on the same database. */
  open(options?: Partial<MetricsOptions>): MetricsServer;
  /** The same, as live: with allowances, periods of minutes, and the services' own names. */
  openLive(options?: Partial<MetricsOptions>): MetricsServer;
  query(text: string): Promise<Row[]>;
  /** Stops every server, and leaves nothing stored and nothing broken. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function startMetricsWorld(kind: TestDatabaseKind): Promise<MetricsWorld> {
  const database = await openTestDatabase(kind);
  const sandbox = await startSandboxMarket({ clock: hastyClock, dataDir: null, speed: 1, seed: 'm', startMs: null });
  const source = sandboxSource(sandbox);
  const opened = new Set<MetricsServer>();

  function open(options: Partial<MetricsOptions> = {}): MetricsServer {
    const calls: string[] = [];
    const metrics = openMetrics({
      source,
      database,
      clock: { nowMs: () => Date.now() },
      log: testLog,
      livePrices: async () => new Map(),
      fetch: (input, init) => {
        calls.push(new URL(String(input)).pathname);
        return fetch(input, init);
      },
      ...options,
    });
    const server: MetricsServer = {
      app: createApp({
        log: testLog,
        isHttps: false,
        siteDir: import.meta.dirname,
        isOwnHost: () => true,
        routes: [metrics.routes],
      }),
      calls,
      async close() {
        opened.delete(server);
        await metrics.close();
      },
    };
    opened.add(server);
    return server;
  }

  const closeServers = () => Promise.all([...opened].map((server) => server.close()));

  return {
    database,
    sandbox,
    open,
    openLive: (options = {}) => open({ source: { ...source, kind: 'live' }, ...options }),
    query: (text) => database.query(OWNER, text),
    async reset() {
      await closeServers();
      sandbox.faults.clear();
      const tables = ['private.jobs', 'private.feed_values', 'private.feed_calls', 'private.price_snapshot_history'];
      for (const table of [...tables, 'public.price_snapshots']) await database.query(OWNER, `delete from ${table}`);
    },
    async close() {
      await closeServers();
      await sandbox.close();
      await database.close();
    },
  };
}
