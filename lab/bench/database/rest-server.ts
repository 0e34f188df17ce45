/**
 * The process under load in lab/bench/database/rest.ts and lab/bench/accounts/sign-ins.ts: the whole server on one port, and
 * bare handlers on two others that send the same SQL through the same driver. Started with an IPC channel; its first
 * message contains all addresses.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { sandboxAddresses } from '../../../sandbox/market/sandbox-market.ts';
import { rateLimits } from '../../../server/backend/limits.ts';
import { openCatalogue } from '../../../server/backend/rest/catalogue.ts';
import { parseQuery } from '../../../server/backend/rest/query/grammar.ts';
import { readStatement } from '../../../server/backend/rest/query/statement.ts';
import { callStatement, chooseProcedure } from '../../../server/backend/rest/rpc.ts';
import { startServer } from '../../../server/main.ts';
import { readConfig } from '../../../server/platform/config/config.ts';
import { type DatabaseCaller, OWNER } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import { startPgliteThread } from '../../../server/platform/database/pglite/pglite-thread.ts';
import { sessionPool } from '../../../server/platform/database/session-pool.ts';
import { openSession } from '../../../server/platform/database/sql/sql-session.ts';
import { productClock } from '../../../server/platform/product-clock.ts';
import { createLogger } from '../../../server/platform/telemetry/log.ts';
import { pgliteTemplate, testLog } from '../../../tests/support/database/database.ts';
import { NO_COMMUNITY } from '../../../tests/support/servers/no-community.ts';
import { BENCH_SQL, benchRowsSql, type RestBenchPlaces, selectQuery } from './rest-places.ts';

const POOL_SIZE = 10;

const databaseUrl = process.env.BENCH_DATABASE_URL || null;
const dataDir = mkdtempSync(join(tmpdir(), 'kat-bench-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
process.on('disconnect', () => process.exit(0));

const clock = productClock();
const config = readConfig({
  HOST: '127.0.0.1',
  PORT: '0',
  DATA_DIR: dataDir,
  MARKET: 'sandbox',
  HOUSE_FORECASTS: 'off',
  // Measured is the time of a read, also on a machine so busy that the server would refuse some.
  DEVELOPMENT: 'patient',
});
const database = await openDatabase({
  databaseUrl,
  dataDir,
  isDurable: false,
  clockOffsetMs: () => 0,
  log: testLog,
  poolSize: POOL_SIZE,
});
await migrate(database, { log: testLog });
await database.transaction(OWNER, (tx) => tx.query(BENCH_SQL));

const server = await startServer({
  config,
  clock,
  log: createLogger('info'),
  database,
  market: {
    kind: 'simulated',
    kindOf: () => 'simulated',
    detail: 'no market',
    bookSource: 'none',
    addresses: sandboxAddresses(9),
    keys: config.market.keys,
  },
  community: NO_COMMUNITY,
  siteDir: dataDir,
  isDemo: false,
  // Eight people signing in without pause would be refused, but this measures what their hashes cost others.
  limits: rateLimits({ signInPerAddress: { points: 1_000_000, perS: 1 } }),
});
const { supabaseAnonKey } = (await (await fetch(`${server.url}/config.json`)).json()) as { supabaseAnonKey: string };
const signUp = await fetch(`${server.url}/auth/v1/signup`, {
  method: 'POST',
  headers: { apikey: supabaseAnonKey, 'content-type': 'application/json' },
  body: JSON.stringify({ email: 'bench@example.com', password: 'Password1' }),
});
const session = (await signUp.json()) as { access_token: string; user: { id: string } };
await database.transaction(OWNER, (tx) => tx.query(benchRowsSql(session.user.id)));

const places: RestBenchPlaces = {
  kat: server.url,
  underRole: await listen(await underRole()),
  bareSql: await listen(await bareSql()),
  anonKey: supabaseAnonKey,
  accessToken: session.access_token,
  userId: session.user.id,
};
process.send?.(places);

/** The statements that the server itself generates for the two requests. */
async function statements() {
  const catalogue = await openCatalogue(database);
  const { relations, procedures } = await catalogue.current();
  await catalogue.close();
  const relation = relations.get('bench_notes');
  if (relation === undefined || !procedures.has('bench_latest')) throw new Error('the bench tables are missing');
  const options = {
    body: 'array',
    hasTotal: false,
    offset: 0,
    limit: 1000,
    mustBeOneRow: false,
    maxAffected: null,
  } as const;
  const select = readStatement(relation, parseQuery(new URLSearchParams(selectQuery(session.user.id))), {
    ...options,
    limit: 20,
  });
  const empty = parseQuery([]);
  const args = { kind: 'json', names: ['p_count'], text: '{"p_count":20}' } as const;
  const procedure = chooseProcedure({ relations, procedures }, 'bench_latest', args.names);
  return { select, rpc: callStatement(procedure, args, empty, options) };
}

/** The same role, claims, time limit and transaction as a table request, in the same round trip. */
async function underRole(): Promise<Hono> {
  const { select, rpc } = await statements();
  const claims = { sub: session.user.id, role: 'authenticated', email: 'bench@example.com' };
  const caller: DatabaseCaller = { role: 'authenticated', claims };
  const answer = async (statement: typeof select) => {
    const [row] = await database.query<{ body: string }>(caller, statement.text, statement.params);
    return new Response(row?.body, { headers: { 'content-type': 'application/json' } });
  };
  return new Hono().get('/select', () => answer(select)).post('/rpc', () => answer(rpc));
}

/** Only the statement, as the login: no transaction, no role, no policy; the claims apply to the whole connection. */
async function bareSql(): Promise<Hono> {
  const { select, rpc } = await statements();
  const address = databaseUrl === null ? { socketPath: await barePglite() } : { url: databaseUrl };
  const size = databaseUrl === null ? 1 : POOL_SIZE;
  const open = async () => {
    const opened = await openSession(address);
    await opened.send(`set request.jwt.claims = '{"sub":"${session.user.id}"}'`, null);
    return opened;
  };
  const pool = sessionPool({ size, maxWaitMs: 15_000, open });
  const answer = async ({ text, params }: typeof select) => {
    const { rows } = await pool.use((one) => one.send(text, params));
    return new Response(String(rows[0]?.body), { headers: { 'content-type': 'application/json' } });
  };
  return new Hono().get('/select', () => answer(select)).post('/rpc', () => answer(rpc));
}

/** A separate PGlite with the same rows: the server's has only one connection, which is in use. */
async function barePglite(): Promise<string> {
  const order = { databaseDir: null, walProgress: null, dumpFile: await pgliteTemplate(), extensions: {} };
  const thread = await startPgliteThread(order, dataDir, 'bare', testLog);
  const first = await openSession({ socketPath: thread.socketPath });
  await first.send(BENCH_SQL, null);
  await first.send(benchRowsSql(session.user.id), null);
  await first.end();
  return thread.socketPath;
}

async function listen(app: Hono): Promise<string> {
  const http = createServer((request, response) => void getRequestListener(app.fetch)(request, response));
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
