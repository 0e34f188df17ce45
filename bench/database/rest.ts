/**
 * Table reads and procedure calls per second over HTTP at 32 connections, on PGlite and on PostgreSQL, as one JSON
 * table: the whole server (keys, token, grammar, headers, log) beside two bare handlers that send the same SQL through
 * the same driver. `underRole` also sets role, claims and time limit, as row-level security needs; `bareSql` sends only
 * the statement.
 */
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import {
  type Call,
  connections,
  percentile,
  type RestBenchPlaces,
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

interface Line {
  database: string;
  request: string;
  katPerS: number;
  underRolePerS: number;
  bareSqlPerS: number;
  ratioUnderRole: number;
  ratioBareSql: number;
  katP50Ms: number;
  katP99Ms: number;
}

async function measure(database: string, name: 'select' | 'rpc', places: RestBenchPlaces): Promise<Line> {
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
  for (const one of names) await run(calls[one], WARM_UP);
  for (let nth = 0; nth < ROUNDS; nth += 1)
    for (const one of names) {
      const startedMs = performance.now();
      const tookMs = await run(calls[one], REQUESTS);
      perS[one].push((REQUESTS / (performance.now() - startedMs)) * 1000);
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
    katP50Ms: percentile(katMs, 0.5),
    katP99Ms: percentile(katMs, 0.99),
  };
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

async function measureOn(name: string, databaseUrl: string | null): Promise<Line[]> {
  const server = await startBenchServer(databaseUrl);
  try {
    return [await measure(name, 'select', server.places), await measure(name, 'rpc', server.places)];
  } finally {
    await server.stop();
  }
}

const lines = await measureOn('PGlite', null);
const postgres = await startThrowawayPostgres();
if ('skipped' in postgres) console.error(`skipped: PostgreSQL (${postgres.skipped})`);
else {
  try {
    lines.push(...(await measureOn('PostgreSQL', postgres.url)));
  } finally {
    await postgres.stop();
  }
}
console.log(JSON.stringify(lines, null, 2));
process.exit(0);
