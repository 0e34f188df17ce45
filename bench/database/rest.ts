/**
 * `[postgres|pglite]`. Table reads and procedure calls per second over HTTP at 32 connections, on PGlite and on
 * PostgreSQL, as one JSON table with the processor time of each in microseconds, which a busy machine changes least: the whole server (keys, token, grammar, headers, log) beside two bare handlers that send the same SQL through
 * the same driver. `underRole` also sets role, claims and time limit, as row-level security needs; `bareSql` sends only
 * the statement.
 */
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import { processorMs, withChildrenMs } from '../../tests/support/run/process-figures.ts';
import {
  type Call,
  connections,
  percentile,
  type RunningBenchServer,
  round,
  selectQuery,
  send,
  startBenchServer,
} from './rest-places.ts';

const CONNECTIONS = 32;
const WARM_UP = 500;
const REQUESTS = 700;
/** In turns, so that other load on the machine affects all three; the ratios are medians over the rounds. */
const ROUNDS = 9;

interface Spent {
  server: number;
  database: number;
}

interface Line {
  database: string;
  request: string;
  katPerS: number;
  underRolePerS: number;
  bareSqlPerS: number;
  ratioUnderRole: number;
  ratioBareSql: number;
  /** Processor time of one request: the server's process (with PGlite inside), and PostgreSQL's. */
  katUs: Spent;
  underRoleUs: Spent;
  bareSqlUs: Spent;
  katP50Ms: number;
  katP99Ms: number;
}

async function measure(
  database: string,
  name: 'select' | 'rpc',
  { places, pid }: RunningBenchServer,
  postgresPid: number | null,
): Promise<Line> {
  const isRpc = name === 'rpc';
  const headers = { apikey: places.anonKey, authorization: `Bearer ${places.accessToken}` };
  const post = { method: 'POST', body: '{"p_count":20}' } as const;
  const json = { 'content-type': 'application/json' };
  const calls: Record<'kat' | 'underRole' | 'bareSql', Call> = {
    kat: isRpc
      ? { url: `${places.kat}/rest/v1/rpc/bench_latest`, ...post, headers: { ...headers, ...json } }
      : { url: `${places.kat}/rest/v1/bench_notes?${selectQuery(places.userId)}`, headers },
    underRole: isRpc
      ? { url: `${places.underRole}/rpc`, ...post, headers: json }
      : { url: `${places.underRole}/select` },
    bareSql: isRpc ? { url: `${places.bareSql}/rpc`, ...post, headers: json } : { url: `${places.bareSql}/select` },
  };
  const perS: Record<keyof typeof calls, number[]> = { kat: [], underRole: [], bareSql: [] };
  const katMs: number[] = [];
  const names = ['kat', 'underRole', 'bareSql'] as const;
  const spentMs = { kat: [0, 0], underRole: [0, 0], bareSql: [0, 0] };
  const spentSoFar = () => [processorMs(pid), postgresPid === null ? 0 : withChildrenMs(postgresPid)];
  for (const one of names) await run(calls[one], WARM_UP);
  for (let nth = 0; nth < ROUNDS; nth += 1)
    for (const one of names) {
      const before = spentSoFar();
      const startedMs = performance.now();
      const tookMs = await run(calls[one], REQUESTS);
      perS[one].push((REQUESTS / (performance.now() - startedMs)) * 1000);
      spentMs[one] = spentSoFar().map((ms, nth) => (spentMs[one][nth] ?? 0) + ms - (before[nth] ?? 0));
      if (one === 'kat') katMs.push(...tookMs);
    }
  const median = (values: number[]) => percentile(values, 0.5);
  const ratioTo = (baseline: number[]) =>
    round(median(perS.kat.map((kat, nth) => kat / (baseline[nth] ?? Number.NaN))));
  return {
    database,
    request: name,
    katPerS: Math.round(median(perS.kat)),
    underRolePerS: Math.round(median(perS.underRole)),
    bareSqlPerS: Math.round(median(perS.bareSql)),
    ratioUnderRole: ratioTo(perS.underRole),
    ratioBareSql: ratioTo(perS.bareSql),
    katUs: eachUs(spentMs.kat),
    underRoleUs: eachUs(spentMs.underRole),
    bareSqlUs: eachUs(spentMs.bareSql),
    katP50Ms: percentile(katMs, 0.5),
    katP99Ms: percentile(katMs, 0.99),
  };
}

function eachUs([serverMs = 0, databaseMs = 0]: readonly number[]): Spent {
  const each = (ms: number) => Math.round((ms * 1000) / (REQUESTS * ROUNDS));
  return { server: each(serverMs), database: each(databaseMs) };
}

async function run(call: Call, count: number): Promise<number[]> {
  const agent = connections(CONNECTIONS);
  const tookMs: number[] = [];
  let next = 0;
  const connection = async () => {
    while (next < count) {
      next += 1;
      tookMs.push(await send(agent, call));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return tookMs;
}

async function measureOn(name: string, postgres: { url: string; pid(): number } | null): Promise<Line[]> {
  const server = await startBenchServer(postgres?.url ?? null);
  const pid = postgres?.pid() ?? null;
  try {
    return [await measure(name, 'select', server, pid), await measure(name, 'rpc', server, pid)];
  } finally {
    await server.stop();
  }
}

const [only] = process.argv.slice(2);
const lines = only === 'postgres' ? [] : await measureOn('PGlite', null);
const postgres = only === 'pglite' ? { skipped: 'not requested' } : await startThrowawayPostgres();
if ('skipped' in postgres) console.error(`skipped: PostgreSQL (${postgres.skipped})`);
else {
  try {
    lines.push(...(await measureOn('PostgreSQL', postgres)));
  } finally {
    await postgres.stop();
  }
}
console.log(JSON.stringify(lines, null, 2));
process.exit(0);
