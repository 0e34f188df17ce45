/** The site under load: Kat in one process or several over PostgreSQL, with a market, and its use of the machine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { startThrowawayPostgres } from '../../../../tests/support/database/throwaway-postgres.ts';
import {
  connectionsAt,
  machineProcessorMs,
  openFiles,
  residentMib,
  withChildrenMs,
} from '../../../../tests/support/run/process-figures.ts';
import { fillDataFolder } from '../../../../tests/support/servers/filled-folder.ts';
import { freePort } from '../../../../tests/support/servers/free-port.ts';
import { startThrowawayNats } from '../../../../tests/support/servers/throwaway-nats.ts';
import { holdSpeed } from '../../../../tests/support/slow-host/held-speed.ts';
import { type Crowd, startCrowd } from '../../crowds/crowd-messages.ts';
import { seedSubscribers } from '../../crowds/load-users.ts';
import { recordVisits, type Visit } from '../../crowds/recorded-visits.ts';
import { type NodeUnderLoad, startNode } from '../../node-under-load.ts';

export interface SiteOptions {
  processes: number;
  /** Share of a core for each server process; null: no limit. */
  speed: number | null;
  /** Subscribers, each with an access token. */
  users: number;
  /** Cores of the servers and the database; null: all. */
  serverCores: string | null;
  /** Cores of the crowds and the market; null: all. */
  crowdCores: string | null;
  /** Whether `delayDatabase` will be needed. */
  hasSlowDatabase: boolean;
}

export interface Site {
  ports: readonly number[];
  urls: readonly string[];
  anonKey: string;
  tokens: readonly string[];
  visits: readonly Visit[];
  /** How the servers are limited to their share of a core; null: they are not. */
  heldBy: string | null;
  /** Open-file limit of one server process. */
  openFilesLimit: number;
  /** Delays each answer of the database by this many milliseconds from now on. */
  delayDatabase(ms: number): void;
  /** Processor time since the machine started, milliseconds. */
  processorMs(): { server: number; database: number; others: number };
  /** Of all server processes, MiB, without the processes that compute forecasts. */
  residentMib(): number;
  /** From clients to the servers. */
  connections(): number;
  /** Of all server processes: files, sockets, pipes. */
  openFiles(): number;
  /** The latest p99 of the event loop's delay in the slowest process, milliseconds; null: unknown. */
  eventLoopP99Ms(): Promise<number | null>;
  /** The last lines of the servers' logs. */
  lastLines(): string[];
}

/** Each product changes twice a second. */
const FRAME_EVERY_MS = 500;
const LAST_LINES = 5;
const METRICS_LIMIT_MS = 3000;
const configSchema = z.object({ supabaseAnonKey: z.string() });

/** @param undo  gets a step for everything that was started, even if a later part fails */
export async function startSite(options: SiteOptions, undo: (() => unknown)[]): Promise<Site> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-overload-'));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  fillDataFolder(dataDir, []);
  const postgres = await startThrowawayPostgres();
  if ('skipped' in postgres) throw new Error(postgres.skipped);
  undo.push(() => postgres.stop());
  // Its sessions are its children and inherit it.
  if (options.serverCores !== null) pin(postgres.pid(), options.serverCores);
  const tokens = await seedSubscribers({ databaseUrl: postgres.url, dataDir }, options.users);

  const start = (file: string, what: unknown): Crowd => {
    const crowd = startCrowd(file, what, options.crowdCores);
    undo.push(() => crowd.stop());
    return crowd;
  };
  const market = start('../market-process.ts', { everyMs: FRAME_EVERY_MS });
  const settings = z.record(z.string(), z.string()).parse(await market.ready);
  const database = new URL(postgres.url);
  let slow: Crowd | null = null;
  if (options.hasSlowDatabase) {
    slow = start('../overload/host/slow-database.ts', { host: database.hostname, port: Number(database.port) });
    database.port = String(z.object({ port: z.number() }).parse(await slow.ready).port);
  }
  const env = { ...settings, DATABASE_URL: database.href, ...(await brokerSetting(options.processes, undo)) };

  let heldBy: string | null = null;
  const nodes: NodeUnderLoad[] = [];
  const metricsPorts: number[] = [];
  for (let i = 0; i < options.processes; i++) {
    const metricsPort = await freePort();
    const held = options.speed === null ? null : holdSpeed(options.speed, i);
    if (held !== null) undo.push(() => held.stop());
    heldBy = held?.means ?? null;
    const node = await startNode({
      dataDir,
      cores: options.serverCores,
      through: held?.through ?? [],
      env: { ...env, METRICS_LISTEN: String(metricsPort) },
    });
    undo.push(() => node.stop());
    held?.hold(node.pid);
    nodes.push(node);
    metricsPorts.push(metricsPort);
  }
  const urls = nodes.map(({ url }) => url);
  const ports = urls.map((url) => Number(new URL(url).port));
  const [url = ''] = urls;
  const { supabaseAnonKey: anonKey } = configSchema.parse(await (await fetch(`${url}/config.json`)).json());
  const visits = await recordVisits(url, ['/', '/kat']);
  const total = (of: (pid: number) => number): number => nodes.reduce((sum, { pid }) => sum + of(pid), 0);

  return {
    ports,
    urls,
    anonKey,
    tokens,
    visits,
    heldBy,
    openFilesLimit: openFilesLimit(nodes[0]?.pid ?? 0),
    delayDatabase: (delayMs) => slow?.change({ delayMs }),
    processorMs() {
      const used = { server: total(withChildrenMs), database: withChildrenMs(postgres.pid()) };
      return { ...used, others: machineProcessorMs() - used.server - used.database };
    },
    residentMib: () => total(residentMib),
    connections: () => nodes.reduce((sum, { pid }, i) => sum + connectionsAt(pid, ports[i] ?? 0), 0),
    openFiles: () => total(openFiles),
    async eventLoopP99Ms() {
      const delays = await Promise.all(metricsPorts.map(eventLoopP99Ms));
      const known = delays.filter((delay) => delay !== null);
      return known.length === 0 ? null : Math.max(...known);
    },
    lastLines: () => nodes.flatMap(({ output }) => output().trim().split('\n').slice(-LAST_LINES)),
  };
}

async function brokerSetting(processes: number, undo: (() => unknown)[]): Promise<Record<string, string>> {
  if (processes === 1) return {};
  const nats = await startThrowawayNats();
  undo.push(() => nats.stop());
  return { NATS_URL: nats.url };
}

export function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-a', '-cp', cores, String(pid)], { stdio: 'ignore' });
}

function openFilesLimit(pid: number): number {
  return Number(/^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1] ?? 0);
}

async function eventLoopP99Ms(port: number): Promise<number | null> {
  try {
    const signal = AbortSignal.timeout(METRICS_LIMIT_MS);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal, headers: { connection: 'close' } });
    const line = /^kat_event_loop_delay_seconds\{[^}]*point="p99"[^}]*\} (\S+)/m.exec(await answer.text());
    return line === null ? null : Math.round(Number(line[1]) * 1000);
  } catch {
    return null;
  }
}
