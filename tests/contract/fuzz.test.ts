/**
 * Hostile requests to every route: none fails, hangs, leaks or is slow, and the victim's rows stay unchanged. By day
 * each route gets one request on PGlite and another before a hosted project, which uses PostgreSQL, and each query
 * parameter gets one hostile value. At night each place gets 1,500 random ones, over tables so full that a statement
 * without an index is slow. FUZZ_REQUESTS sets another number (`npm test -- fuzz`: 20,000), FUZZ_SEED another seed.
 */
import { describe, expect, test } from 'vitest';
import { POSTGRES_SKIPPED, type TestDatabaseKind, testDatabaseKinds } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { judge, judgeRaw } from '../support/fuzz/judge.ts';
import { rawRequests } from '../support/fuzz/raw-requests.ts';
import {
  type FuzzRequest,
  fuzzRequests,
  requestOfEachParameter,
  requestOfEachRoute,
} from '../support/fuzz/requests.ts';
import { fuzzSender, type Sent } from '../support/fuzz/send.ts';
import { aloneMs, openTransactions } from '../support/fuzz/statements.ts';
import { type FuzzPlace, type FuzzWorld, openFuzzWorld } from '../support/fuzz/world.ts';
import { runningTime } from '../support/run/running-time.ts';
import { isNight } from '../support/run/test-size.ts';

const CHOSEN = process.env.FUZZ_REQUESTS;
/** Random requests per place; null sends one request to each route. */
const COUNT = CHOSEN === undefined ? (isNight ? 1500 : null) : Number(CHOSEN);
const SUBJECT = COUNT === null ? 'hostile requests to every route' : `${COUNT} hostile requests`;
const SEED = Number(process.env.FUZZ_SEED ?? '20261121');
/** Each place has its own requests, so that even a few of each find a route's defects. */
const SEEDS: Readonly<Record<FuzzPlace, number>> = { pglite: SEED, hosted: SEED + 1, postgres: SEED + 2 };
/** One request in so many is malformed beyond what any library sends. */
const RAW_SHARE = 25;
const RAW_BY_DAY = 10;
const PARALLEL = 8;
const MAX_STATEMENT_MS = 200;
/** By day the runner's limit is enough. */
const LIMIT = COUNT === null ? {} : { timeout: 60_000 + COUNT * 60 };

const describeDatabases = COUNT === null ? describePglite : describeEachDatabase;

describeDatabases(SUBJECT, (kind) => {
  test('answers hostile requests without failures, leaks or delays', LIMIT, () => fuzz(kind));
});

function describePglite(subject: string, block: (kind: TestDatabaseKind) => void): void {
  describe(`${subject} on pglite`, () => block('pglite'));
}

const isHere = testDatabaseKinds().includes('postgres');
describe.skipIf(!isHere)(`${SUBJECT}${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  test('answers hostile requests to a hosted project without harm', LIMIT, () => fuzz('hosted'));
});

async function fuzz(kind: FuzzPlace): Promise<void> {
  // Filling the tables takes longer than the requests of a day.
  const isTimed = COUNT !== null;
  const world = await openFuzzWorld(kind, { isCrowded: isTimed });
  const sender = fuzzSender(world.server.url);
  const before = await world.victimRows();
  const problems = new Map<string, string>();
  const statuses = new Map<string, number>();

  const queue = requestsFor(kind);
  const count = queue.length;
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await tryOne(next);
    }),
  );
  const tookS = Math.round((performance.now() - startedMs) / 1000);
  sender.close();

  async function tryOne(next: FuzzRequest | string): Promise<void> {
    if (typeof next === 'string') {
      const reply = await sender.sendRaw(next);
      for (const problem of judgeRaw(reply, world.secrets)) note(problem, JSON.stringify(next.slice(0, 400)), 'raw');
      return;
    }
    const sent = await world.fill(next);
    const outcome = await sender.send(sent);
    const status = 'answer' in outcome ? String(outcome.answer.status) : 'none';
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    for (const problem of judge(next, sent, outcome, world.secrets)) note(problem, shown(next, sent), next.route.path);
  }

  /** One example for each kind of problem on a route. */
  function note(problem: string, example: string, route: string): void {
    const key = `${route}: ${problem.slice(0, 60)}`;
    if (!problems.has(key)) problems.set(key, `${problem}\n    ${example}`);
  }

  const slow = isTimed ? await slowStatements(world, kind) : { found: [], line: '' };
  const healthy = await fetch(`${world.server.url}/readyz`);
  const after = await world.victimRows();
  const left = await openTransactions(world.database);
  const closing = runningTime();
  await world.close();
  const closedInMs = closing.ms();
  console.log(`${kind}: ${count} requests in ${tookS} s, ${report(statuses)}; ${slow.line}`);

  expect([...problems].map(([key, example]) => `${key}\n    ${example}`).join('\n')).toBe('');
  expect(world.faults.join('')).toBe('');
  expect(after).toBe(before);
  expect(healthy.status).toBe(200);
  expect(left).toBe(0);
  // A connection left open makes it wait for its grace period of five seconds.
  expect(closedInMs).toBeLessThan(5000);
  if (kind !== 'pglite') expect(slow.found).toEqual([]);
}

function requestsFor(kind: FuzzPlace): (FuzzRequest | string)[] {
  const seed = SEEDS[kind];
  if (COUNT !== null) {
    const rawCount = Math.ceil(COUNT / RAW_SHARE);
    return [...fuzzRequests(COUNT - rawCount, seed), ...rawRequests(rawCount, seed)];
  }
  // Half of the parameters in each place, because parsing a query does not depend on the database.
  const half = kind === 'pglite' ? 0 : 1;
  const ofParameters = requestOfEachParameter(SEED).filter((_, index) => !isHere || index % 2 === half);
  return [...requestOfEachRoute(seed), ...ofParameters, ...rawRequests(RAW_BY_DAY, seed)];
}

/** Enough to send the request again, without the tokens' text. */
function shown({ token, apiKey, headers }: FuzzRequest, { method, target, body }: Sent): string {
  return JSON.stringify({ method, target, headers, body, token, apiKey }).slice(0, 1500);
}

async function slowStatements(world: FuzzWorld, kind: FuzzPlace): Promise<{ found: string[]; line: string }> {
  const found: string[] = [];
  let slowestMs = 0;
  let slowest = '';
  // A request that looked slow may have waited for the machine or for PGlite's one connection, so it is timed again
  // alone.
  for (const statement of world.noted.slowest()) {
    const ms = await aloneMs(world.database, statement, MAX_STATEMENT_MS);
    const shown = `${Math.round(ms)} ms: ${statement.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
    if (ms > slowestMs) [slowestMs, slowest] = [ms, shown];
    if (ms > MAX_STATEMENT_MS) found.push(`${shown} ${JSON.stringify(statement.params ?? null).slice(0, 300)}`);
  }
  return { found, line: `slowest statement alone on ${kind}: ${slowest}` };
}

function report(statuses: ReadonlyMap<string, number>): string {
  return [...statuses]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ');
}
