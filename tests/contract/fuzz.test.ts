/**
 * Hostile requests to every route: nothing fails, hangs, leaks or is slow, and the victim's rows stay as they are. 1,500 on
 * each kind of database; FUZZ_REQUESTS sets another number (`npm run fuzz`: 20,000), FUZZ_SEED another draw.
 */
import { describe, expect, test } from 'vitest';
import { POSTGRES_SKIPPED, testDatabaseKinds } from '../support/database.ts';
import { describeEachDatabase } from '../support/each-database.ts';
import { judge, judgeRaw } from '../support/fuzz/judge.ts';
import { rawRequests } from '../support/fuzz/raw-requests.ts';
import { type FuzzRequest, fuzzRequests } from '../support/fuzz/requests.ts';
import { fuzzSender, type Sent } from '../support/fuzz/send.ts';
import { aloneMs, openTransactions } from '../support/fuzz/statements.ts';
import { type FuzzPlace, type FuzzWorld, openFuzzWorld } from '../support/fuzz/world.ts';

const COUNT = Number(process.env.FUZZ_REQUESTS ?? '1000');
const SEED = Number(process.env.FUZZ_SEED ?? '20261121');
/** One in so many is no request of any library. */
const RAW_SHARE = 25;
const AT_ONCE = 8;
const MAX_STATEMENT_MS = 200;
const TIMEOUT_MS = 60_000 + COUNT * 60;

describeEachDatabase(`${COUNT} hostile requests`, (kind) => {
  test('do no harm', { timeout: TIMEOUT_MS }, () => fuzz(kind));
});

const isHere = testDatabaseKinds().includes('postgres');
describe.skipIf(!isHere)(`${COUNT} hostile requests${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  test('do no harm to a hosted project', { timeout: TIMEOUT_MS }, () => fuzz('hosted'));
});

async function fuzz(kind: FuzzPlace): Promise<void> {
  const world = await openFuzzWorld(kind);
  const sender = fuzzSender(world.server.url);
  const before = await world.victimRows();
  const problems = new Map<string, string>();
  const statuses = new Map<string, number>();

  const rawCount = Math.ceil(COUNT / RAW_SHARE);
  const queue: (FuzzRequest | string)[] = [...fuzzRequests(COUNT - rawCount, SEED), ...rawRequests(rawCount, SEED)];
  const startedMs = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
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

  const slow = await slowStatements(world, kind);
  const healthy = await fetch(`${world.server.url}/readyz`);
  const after = await world.victimRows();
  const left = await openTransactions(world.database);
  const closingMs = performance.now();
  await world.close();
  const closedInMs = performance.now() - closingMs;
  console.log(`${kind}: ${COUNT} requests in ${tookS} s, ${report(statuses)}; ${slow.line}`);

  expect([...problems].map(([key, example]) => `${key}\n    ${example}`).join('\n')).toBe('');
  expect(world.faults.join('')).toBe('');
  expect(after).toBe(before);
  expect(healthy.status).toBe(200);
  expect(left).toBe(0);
  // With a connection left open it waits for its grace of five seconds.
  expect(closedInMs).toBeLessThan(5000);
  if (kind !== 'pglite') expect(slow.found).toEqual([]);
}

/** Enough to send it again, without the tokens' text. */
function shown({ token, apiKey, headers }: FuzzRequest, { method, target, body }: Sent): string {
  return JSON.stringify({ method, target, headers, body, token, apiKey }).slice(0, 1500);
}

async function slowStatements(world: FuzzWorld, kind: FuzzPlace): Promise<{ found: string[]; line: string }> {
  const found: string[] = [];
  let slowestMs = 0;
  let slowest = '';
  // What looked slow may only have waited, for the machine or for PGlite's one connection: its time is taken again alone.
  for (const statement of world.noted.slowest()) {
    const ms = await aloneMs(world.database, statement);
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
