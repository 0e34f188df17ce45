/**
 * Role-switching transactions per second on PGlite and on PostgreSQL, as one JSON table. The baseline beside each is
 * the same reads without role, transaction or (PGlite) thread and socket.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import postgres from 'postgres';
import { type Database, type DatabaseCaller, SERVICE } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import { pgliteTemplate, testLog } from '../../../tests/support/database/database.ts';
import { createDatabaseUser } from '../../../tests/support/database/database-users.ts';
import { startThrowawayPostgres } from '../../../tests/support/database/throwaway-postgres.ts';

const WARM_UP = 500;
const TRANSACTIONS = 6000;
const CALLERS = [1, 32];

interface Line {
  database: string;
  callers: number;
  transactionsPerS: number;
  baselinePerS: number;
  /** Relative to the baseline's speed. */
  ratio: number;
  p50Ms: number;
  p99Ms: number;
  /** Longest block of the server's own thread meanwhile. */
  eventLoopHeldMs: number;
}

type Read = (text: string, values: string[]) => Promise<unknown>;

async function measure(database: Database, baseline: Read, callers: number): Promise<Line> {
  const ada = await createDatabaseUser(database, `ada-${callers}@example.com`);
  const bob = await createDatabaseUser(database, `bob-${callers}@example.com`);
  const roles: DatabaseCaller[] = [{ role: 'anon', claims: null }, ada.caller, SERVICE, bob.caller];
  const query = async (n: number) => {
    const caller = roles[n % roles.length] ?? SERVICE;
    await (n % 4 === 0 ? database.query(caller, PRICE, ['lion']) : database.query(caller, PROFILE, [ada.id]));
  };
  await run(WARM_UP, callers, query);
  const held = watchEventLoop();
  const startedMs = performance.now();
  const tookMs = (await run(TRANSACTIONS, callers, query)).sort((a, b) => a - b);
  const totalMs = performance.now() - startedMs;
  const eventLoopHeldMs = round(held.stop());
  const baselineStartMs = performance.now();
  await run(TRANSACTIONS, callers, async (n) => {
    await (n % 4 === 0 ? baseline(PRICE, ['lion']) : baseline(PROFILE, [ada.id]));
  });
  const baselineMs = performance.now() - baselineStartMs;
  const at = (share: number) => round(tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN);
  return {
    database: database.kind,
    callers,
    transactionsPerS: Math.round((TRANSACTIONS / totalMs) * 1000),
    baselinePerS: Math.round((TRANSACTIONS / baselineMs) * 1000),
    ratio: round(baselineMs / totalMs),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    eventLoopHeldMs,
  };
}

const PRICE = 'select price_id from public.billing_prices where plan = $1';
const PROFILE = 'select id, full_name, role from public.profiles where id = $1';

/** @returns duration of each call, in milliseconds */
async function run(count: number, callers: number, query: (n: number) => Promise<void>): Promise<number[]> {
  const tookMs: number[] = [];
  let next = 0;
  const caller = async () => {
    while (next < count) {
      const n = next;
      next += 1;
      const startedMs = performance.now();
      await query(n);
      tookMs.push(performance.now() - startedMs);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return tookMs;
}

function watchEventLoop(): { stop: () => number } {
  let lastMs = performance.now();
  let longestMs = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs - 5);
    lastMs = nowMs;
  }, 5);
  return {
    stop() {
      clearInterval(timer);
      return longestMs;
    },
  };
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}

async function measureOn(databaseUrl: string | null, baseline: Read): Promise<Line[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-bench-'));
  const database = await openDatabase({ databaseUrl, dataDir, isDurable: false, clockOffsetMs: () => 0, log: testLog });
  try {
    await migrate(database, { log: testLog });
    const lines: Line[] = [];
    for (const callers of CALLERS) lines.push(await measure(database, baseline, callers));
    return lines;
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measurePglite(): Promise<Line[]> {
  const db = await PGlite.create({ loadDataDir: new Blob([readFileSync(await pgliteTemplate())]) });
  try {
    return await measureOn(null, (text, values) => db.query(text, values));
  } finally {
    await db.close();
  }
}

async function measurePostgres(): Promise<Line[]> {
  const server = await startThrowawayPostgres();
  if ('skipped' in server) {
    console.error(`skipped: PostgreSQL (${server.skipped})`);
    return [];
  }
  const sql = postgres(server.url, { max: 10, onnotice: () => {} });
  try {
    return await measureOn(server.url, (text, values) => sql.unsafe(text, values));
  } finally {
    await sql.end();
    await server.stop();
  }
}

console.log(JSON.stringify([...(await measurePglite()), ...(await measurePostgres())], null, 2));
