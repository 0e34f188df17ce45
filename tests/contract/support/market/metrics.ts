/** Reference figures as a server has them: collectors on a sandbox market over HTTP, one database, our own addresses. */
import type { Hono } from 'hono';
import { afterEach, expect, vi } from 'vitest';
import { type SandboxMarket, startSandboxMarket } from '../../../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../../../sandbox/market/sandbox-source.ts';
import { createApp } from '../../../../server/app.ts';
import { openMetrics, type ReferenceMetricsOptions } from '../../../../server/market/reference/metrics.ts';
import { type Database, OWNER, type Row } from '../../../../server/platform/database/database.ts';
import { openTestDatabase, type TestDatabaseKind, testLog } from '../../../support/database/database.ts';
import { openedForTests } from '../../../support/run/opened-for-tests.ts';

/** Its minutes pass quickly: the sandbox allows 30 requests in each. */
const hastyClock = { nowMs: () => Date.now() + 60 * performance.now() };

export interface MetricsServer {
  app: Hono;
  /** Paths requested from the services, without the sandbox's address. */
  calls: string[];
  close(): Promise<void>;
}

export interface MetricsWorld {
  database: Database;
  sandbox: SandboxMarket;
  /** Another server process on the same database. */
  open(options?: Partial<ReferenceMetricsOptions>): MetricsServer;
  /** The same, as live: with allowances, periods of minutes, and the services' own names. */
  openLive(options?: Partial<ReferenceMetricsOptions>): MetricsServer;
  query(text: string): Promise<Row[]>;
  /** Leaves figures of ten minutes ago, of a sandbox's server that has stopped since. */
  collectOnce(): Promise<void>;
  /** @param job  its name without the kind of market */
  untilFailed(job: string): Promise<void>;
  /** Stops every server, and leaves nothing stored and nothing broken. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export const COINS =
  '/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=50&page=1&sparkline=false&price_change_percentage=24h';
export const PATHS = ['/api/v3/global', COINS, '/fng/?limit=1'] as const;
export async function untilAnswered(server: MetricsServer): Promise<void> {
  await vi.waitFor(async () => {
    for (const path of PATHS) expect((await server.app.request(path)).status).toBe(200);
  });
}

export async function jsonOf({ app }: MetricsServer, path: string): Promise<unknown> {
  return (await app.request(path)).json();
}

/** One world for all tests of a block, as empty for each as for the first. */
export function metricsWorldForTests(kind: TestDatabaseKind): () => MetricsWorld {
  const opened = openedForTests(() => startMetricsWorld(kind));
  afterEach(() => opened().reset());
  return opened;
}

async function startMetricsWorld(kind: TestDatabaseKind): Promise<MetricsWorld> {
  const database = await openTestDatabase(kind);
  const sandbox = await startSandboxMarket({ clock: hastyClock, dataDir: null, speed: 1, seed: 'm', startMs: null });
  const source = sandboxSource(sandbox);
  const opened = new Set<MetricsServer>();

  function open(options: Partial<ReferenceMetricsOptions> = {}): MetricsServer {
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

  const query = (text: string) => database.query(OWNER, text);
  const closeServers = () => Promise.all([...opened].map((server) => server.close()));

  return {
    database,
    sandbox,
    open,
    openLive: (options = {}) => open({ source: { ...source, kind: 'live' }, ...options }),
    query,
    async collectOnce() {
      const server = open();
      await untilAnswered(server);
      await server.close();
      await query("update private.jobs set next_due_at = now() + interval '0 s'");
      await query("update private.feed_values set fetched_at = fetched_at - interval '10 minutes'");
    },
    untilFailed: (job) =>
      vi.waitFor(async () => {
        const text = `select from private.jobs where name like '%:${job}%' and failures > 0`;
        expect(await query(text)).toHaveLength(1);
      }),
    async reset() {
      await closeServers();
      sandbox.faults.clear();
      const tables = ['private.jobs', 'private.feed_values', 'private.feed_calls', 'private.price_snapshot_history'];
      for (const table of [...tables, 'public.price_snapshots']) await query(`delete from ${table}`);
    },
    async close() {
      await closeServers();
      await sandbox.close();
      await database.close();
    },
  };
}
