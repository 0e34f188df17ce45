/**
 * One node under everything at the same time, on loopback: ten thousand live sockets at two frames a second, two
 * thousand forecast streams each minute, sign-ups and page loads beside them. `npm run lab -- stress node`; settings:
 * PROCESSES of the server (1; more share one PostgreSQL and NATS, and the crowd uses each in turn), SOCKETS (10000),
 * STREAMS (2000), STREAM_ARRIVAL_MS (5000), PAGES (2000 a minute), SIGN_UPS (300 a minute), MINUTES (3), DATABASE
 * (pglite, or postgres), SERVER_CORES (of the database too) and CROWD_CORES (all; such as 0 and 1). Prints a JSON line
 * each minute and a table at the end; exits with 1 if a bound is broken.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import {
  machineProcessorMs,
  processorMs,
  residentMib,
  withChildrenMs,
} from '../../tests/support/run/process-figures.ts';
import { fillDataFolder } from '../../tests/support/servers/filled-folder.ts';
import { startThrowawayNats } from '../../tests/support/servers/throwaway-nats.ts';
import { type Crowd, type CrowdFigures, startCrowd } from './crowds/crowd-messages.ts';
import { seedSubscribers } from './crowds/load-users.ts';
import { recordVisits } from './crowds/recorded-visits.ts';
import { type NodeUnderLoad, startNode } from './node-under-load.ts';

const number = (name: string, byDefault: number): number => Number(process.env[name] ?? byDefault);
const PROCESSES = number('PROCESSES', 1);
const SOCKETS = number('SOCKETS', 10_000);
const STREAMS = number('STREAMS', 2000);
const STREAM_ARRIVAL_MS = number('STREAM_ARRIVAL_MS', 5000);
const PAGES = number('PAGES', 2000);
const SIGN_UPS = number('SIGN_UPS', 300);
const MINUTES = number('MINUTES', 3);
const USES_POSTGRES = process.env.DATABASE === 'postgres' || PROCESSES > 1;
const SERVER_CORES = process.env.SERVER_CORES ?? null;
const CROWD_CORES = process.env.CROWD_CORES ?? null;

const MINUTE_MS = number('MINUTE_MS', 60_000);
/** Each product changes twice a second, and each reader follows one. */
const FRAME_EVERY_MS = 500;
const PRODUCT_IDS = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD'];
const SOCKET_ARRIVAL_MS = Math.max(2000, SOCKETS * 2);
/** A user's daily allowance on the largest plan. */
const STREAMS_A_USER = 15;
const BOUNDS = { lagP99Ms: 500, latenessP99Ms: 250, callsP99Ms: 100, residentMib: 2048 };

const configSchema = z.object({ supabaseAnonKey: z.string() });
const dataDir = mkdtempSync(join(tmpdir(), 'kat-load-'));
const crowds: Crowd[] = [];
let serverPids: number[] = [];
let databasePid: number | null = null;
const undo: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];

try {
  fillDataFolder(dataDir, []);
  const databaseUrl = USES_POSTGRES ? await postgres() : null;
  const users = Math.max(1, Math.ceil((STREAMS * Math.max(1, MINUTES + 1)) / STREAMS_A_USER));
  const tokens = STREAMS === 0 ? [] : await seedSubscribers({ databaseUrl, dataDir }, Math.max(STREAMS, users));
  const market = crowd('../market-process.ts', { everyMs: FRAME_EVERY_MS });
  const settings = z.record(z.string(), z.string()).parse(await market.ready);
  const env = { ...settings, ...databaseSetting(databaseUrl), ...(await brokerSetting()) };
  const nodes: NodeUnderLoad[] = [];
  for (let i = 0; i < PROCESSES; i++) {
    const started = await startNode({ dataDir, cores: SERVER_CORES, env });
    undo.push(() => started.stop());
    nodes.push(started);
  }
  const [node] = nodes;
  if (node === undefined) throw new Error('PROCESSES must be one at least');
  serverPids = nodes.map(({ pid }) => pid);
  const { supabaseAnonKey: anonKey } = configSchema.parse(await (await fetch(`${node.url}/config.json`)).json());
  const ports = nodes.map(({ url }) => Number(new URL(url).port));
  const visits = PAGES === 0 ? [] : await recordVisits(node.url, ['/', '/kat']);
  const idleMib = total(residentMib);

  const sockets = crowd('socket-crowd.ts', {
    ports,
    sockets: SOCKETS,
    productIds: PRODUCT_IDS,
    arrivalMs: SOCKET_ARRIVAL_MS,
  });
  await sockets.ready;
  const visitors = crowd('visitor-crowd.ts', {
    ports,
    anonKey,
    visits,
    pagesPerMinute: PAGES,
    signUpsPerMinute: SIGN_UPS,
  });
  await visitors.ready;
  const streams = crowd('stream-crowd.ts', {
    ports,
    tokens,
    streams: STREAMS,
    arrivalMs: STREAM_ARRIVAL_MS,
    everyMs: MINUTE_MS,
  });
  await streams.ready;
  // Drops the figures from the time while the crowd was gathering.
  await Promise.all([sockets, visitors].map((crowd) => crowd.figures()));

  const minutes: Minute[] = [];
  for (let minute = 1; minute <= MINUTES; minute++) {
    const before = { cpuMs: total(processorMs), ...besideIt(), atMs: performance.now() };
    await sleep(MINUTE_MS);
    const [live, forecast, visit] = await Promise.all([sockets.figures(), streams.figures(), visitors.figures()]);
    const tookMs = performance.now() - before.atMs;
    const coresOf = (ms: number): number => Math.round((ms / tookMs) * 100) / 100;
    const now = besideIt();
    const line = {
      minute,
      cores: coresOf(total(processorMs) - before.cpuMs),
      databaseCores: coresOf(now.databaseMs - before.databaseMs),
      othersCores: coresOf(now.othersMs - before.othersMs),
      residentMib: Math.round(total(residentMib)),
      live,
      forecast,
      visit,
    };
    minutes.push(line);
    console.log(JSON.stringify(line));
  }
  report(minutes, Math.round(idleMib));
  for (const { output } of nodes) console.log(`the server's last lines:\n${output().split('\n').slice(-5).join('\n')}`);
} finally {
  for (const crowd of crowds) crowd.stop();
  for (const step of undo.reverse()) await step();
}

interface Minute {
  minute: number;
  /** CPU of PostgreSQL. */
  databaseCores: number;
  /** CPU of the crowds, the market and everything else. */
  othersCores: number;
  /** CPU of all server processes, with the database if it is embedded. */
  cores: number;
  residentMib: number;
  live: CrowdFigures;
  forecast: CrowdFigures;
  visit: CrowdFigures;
}

function crowd(file: string, options: unknown): Crowd {
  const started = startCrowd(file, options, CROWD_CORES);
  crowds.push(started);
  return started;
}

/** Processor time outside the server since the machine started: the database's, and the rest of the machine's. */
function besideIt(): { databaseMs: number; othersMs: number } {
  const databaseMs = databasePid === null ? 0 : withChildrenMs(databasePid);
  return { databaseMs, othersMs: machineProcessorMs() - total(processorMs) - databaseMs };
}

/** Sum over all processes of the server. */
function total(of: (pid: number) => number): number {
  return serverPids.reduce((sum, pid) => sum + of(pid), 0);
}

async function brokerSetting(): Promise<Record<string, string>> {
  if (PROCESSES === 1) return {};
  const nats = await startThrowawayNats();
  undo.push(() => nats.stop());
  return { NATS_URL: nats.url };
}

async function postgres(): Promise<string> {
  const server = await startThrowawayPostgres();
  if ('skipped' in server) throw new Error(server.skipped);
  undo.push(() => server.stop());
  databasePid = server.pid();
  // Its sessions are its children and inherit it.
  if (SERVER_CORES !== null) execFileSync('taskset', ['-cp', SERVER_CORES, String(databasePid)], { stdio: 'ignore' });
  return server.url;
}

function databaseSetting(url: string | null): Record<string, string> {
  return url === null ? {} : { DATABASE_URL: url };
}

/** The worst minute compared with the bounds, and failures. */
function report(minutes: readonly Minute[], idleMib: number): void {
  const worst = (of: (minute: Minute) => number | null | undefined): number =>
    Math.max(...minutes.map((minute) => of(minute) ?? 0));
  const measured = {
    lagP99Ms: worst(({ live }) => live.times.lag?.p99Ms),
    latenessP99Ms: worst(({ forecast }) => forecast.times.lateness?.p99Ms),
    callsP99Ms: worst(({ visit }) => visit.times.calls?.p99Ms),
    residentMib: worst((minute) => minute.residentMib),
  };
  const failures = minutes.flatMap(({ live, forecast, visit }) =>
    [live, forecast, visit].flatMap((crowd) => Object.entries(crowd.failures)),
  );
  const missed = Object.entries(BOUNDS).filter(([name, bound]) => measured[name as keyof typeof BOUNDS] > bound);
  const where = { SERVER_CORES, CROWD_CORES, database: USES_POSTGRES ? 'postgres' : 'pglite' };
  const load = { PROCESSES, SOCKETS, STREAMS, STREAM_ARRIVAL_MS, PAGES, SIGN_UPS, MINUTES, ...where };
  const means = {
    cores: mean(minutes.map(({ cores }) => cores)),
    databaseCores: mean(minutes.map(({ databaseCores }) => databaseCores)),
    othersCores: mean(minutes.map(({ othersCores }) => othersCores)),
    idleMib,
  };
  console.log(JSON.stringify({ load, bounds: BOUNDS, worstMinute: measured, means, failures, missed }, null, 2));
  if (missed.length > 0 || failures.length > 0) process.exitCode = 1;
}

function mean(values: readonly number[]): number {
  return Math.round((values.reduce((sum, one) => sum + one, 0) / values.length) * 100) / 100;
}
