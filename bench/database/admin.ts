/**
 * The admin's reports over HTTP, one request at a time, on PostgreSQL with 100,000 users, two million predictions and
 * 5,000 posts, as one JSON table. Each call is compared with 300 ms and with a one-row call that alternates with it, so
 * that other load on the machine affects both. On a busy machine only processor time is meaningful: that of the
 * database's own processes, if they run on this Linux machine.
 *
 *   npm run bench -- admin [--users 100000] [--predictions 2000000] [--posts 5000] [--runs 15] [--database URL]
 *
 * With --database the crowd is written there, unless it exists, and stays.
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { testLog } from '../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import { CROWD_TABLES, CROWD_USER_ID, fillAdminCrowd } from '../../tests/support/worlds/admin-crowd.ts';
import { type AdminCall, adminCalls } from './admin-calls.ts';
import { connections, percentile, type RestBenchPlaces, round, send, startBenchServer } from './rest-places.ts';

const LIMIT_MS = 300;
const WARM_UP = 3;

const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    predictions: { type: 'string', default: '2000000' },
    posts: { type: 'string', default: '5000' },
    runs: { type: 'string', default: '15' },
    database: { type: 'string' },
  },
});
const size = { users: Number(options.users), predictions: Number(options.predictions), posts: Number(options.posts) };

/** @returns seconds it took to fill; null if the crowd existed */
async function prepare(url: string): Promise<number | null> {
  const database = await openDatabase({
    databaseUrl: url,
    dataDir: '',
    isDurable: false,
    clockOffsetMs: () => 0,
    log: testLog,
    poolSize: 1,
  });
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await migrate(database, { log: testLog });
    // Left by an earlier run.
    await sql`delete from auth.users where email = 'bench@example.com'`;
    await sql`drop function if exists public.bench_latest`;
    await sql`drop table if exists public.bench_notes`;
    const [there] = await sql<{ users: number }[]>`select count(*)::int as users from public.profiles`;
    const tookS = (there?.users ?? 0) >= size.users ? null : await fillAdminCrowd(database, size);
    for (const table of CROWD_TABLES) await sql.unsafe(`vacuum analyze ${table}`);
    return tookS;
  } finally {
    await sql.end();
    await database.close();
  }
}

async function crowdIds(url: string, userId: string): Promise<string[]> {
  const sql = postgres(url, { max: 1 });
  try {
    await sql`update public.profiles set role = 'admin' where id = ${userId}`;
    const rows = await sql.unsafe<{ id: string }[]>(
      `select ${CROWD_USER_ID('n * 5 + 1')} as id from generate_series(0, 199) n`,
    );
    return rows.map(({ id }) => id);
  } finally {
    await sql.end();
  }
}

const TICK_MS = 10;

/** Processor time of all database sessions; null if it cannot be read. */
async function processorMs(sql: postgres.Sql): Promise<number | null> {
  const rows = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`;
  try {
    return rows.reduce((sum, { pid }) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    }, 0);
  } catch {
    // Another system, or a remote server.
    return null;
  }
}

async function measure(places: RestBenchPlaces, sql: postgres.Sql, call: AdminCall, runs: number) {
  const agent = connections(1);
  const headers = {
    apikey: places.anonKey,
    authorization: `Bearer ${places.accessToken}`,
    'content-type': 'application/json',
  };
  const request = {
    url: `${places.kat}/rest/v1/${call.path}`,
    headers: { ...headers, ...(call.hasCount ? { prefer: 'count=exact' } : {}) },
    ...(call.path.startsWith('rpc/') ? ({ method: 'POST', body: '{}' } as const) : {}),
  };
  const baseline = {
    url: `${places.kat}/rest/v1/rpc/bench_latest`,
    method: 'POST',
    headers,
    body: '{"p_count":1}',
  } as const;
  const tookMs: number[] = [];
  const baselineMs: number[] = [];
  /** Calls that exceeded the time limit of a user's statement. */
  let refused = 0;
  let beforeMs: number | null = null;
  for (let run = -WARM_UP; run < runs; run += 1) {
    if (run === 0) beforeMs = await processorMs(sql);
    const ms = await send(agent, request).catch((error: unknown) => {
      if (!String(error).includes('57014')) throw error;
      return Number.POSITIVE_INFINITY;
    });
    const oneRowMs = await send(agent, baseline);
    if (run < 0) continue;
    if (ms === Number.POSITIVE_INFINITY) refused += 1;
    tookMs.push(ms);
    baselineMs.push(oneRowMs);
  }
  const afterMs = await processorMs(sql);
  agent.destroy();
  const medianMs = percentile(tookMs, 0.5);
  return {
    call: call.name,
    leastMs: round(Math.min(...tookMs)),
    medianMs,
    p95Ms: percentile(tookMs, 0.95),
    isWithinLimit: medianMs < LIMIT_MS,
    oneRowMs: percentile(baselineMs, 0.5),
    // Of both calls together; the one-row call takes a millisecond.
    processorMs: beforeMs === null || afterMs === null ? null : round((afterMs - beforeMs) / runs),
    ...(refused > 0 ? { refused } : {}),
  };
}

async function measureOn(url: string) {
  const filledS = await prepare(url);
  const server = await startBenchServer(url);
  const sql = postgres(url, { max: 1 });
  try {
    const calls = adminCalls(size, await crowdIds(url, server.places.userId));
    const lines = [];
    for (const call of calls) lines.push(await measure(server.places, sql, call, Number(options.runs)));
    const over = lines.filter((line) => !line.isWithinLimit).map((line) => line.call);
    return { ...size, filledS, limitMs: LIMIT_MS, loadOfMachine: loadavg().map(round), over, lines };
  } finally {
    await sql.end();
    await server.stop();
  }
}

if (options.database !== undefined) console.log(JSON.stringify(await measureOn(options.database), null, 2));
else {
  const server = await startThrowawayPostgres();
  if ('skipped' in server) throw new Error(`there is no PostgreSQL: ${server.skipped}`);
  try {
    console.log(JSON.stringify(await measureOn(server.url), null, 2));
  } finally {
    await server.stop();
  }
}
process.exit(0);
