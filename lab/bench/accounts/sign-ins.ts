/**
 * The effect of sign-ins on other requests, and the idle process's memory, as one JSON table. Four readers send
 * requests at a steady pace, by turns alone and while eight people sign in without pause (each hash takes a core for
 * some 60 ms). Memory is that of `npm start` after it has settled, by part.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startThrowawayPostgres } from '../../../tests/support/database/throwaway-postgres.ts';
import {
  connections,
  percentile,
  type RestBenchPlaces,
  round,
  selectQuery,
  send,
  startBenchServer,
} from '../database/rest-places.ts';
import { type Memory, measureIdleMemory } from './idle-memory.ts';

const READERS = 4;
const PACE_MS = 10;
const SIGN_INS = 8;
const PHASE_MS = 1250;
const ROUNDS = 8;

interface Line {
  database: string;
  idleP50Ms: number;
  idleP99Ms: number;
  busyP50Ms: number;
  busyP99Ms: number;
  /** Busy 99th percentile over the idle one; bound: 2. */
  ratio: number;
  signInsPerS: number;
  signInP99Ms: number;
  memory: Memory;
}

async function measure(places: RestBenchPlaces): Promise<Omit<Line, 'database' | 'memory'>> {
  const accounts = Array.from({ length: SIGN_INS }, (_, n) => `signs-in-${n}@example.com`);
  const agent = connections(READERS + SIGN_INS);
  const json = { apikey: places.anonKey, 'content-type': 'application/json' };
  const account = (path: string, email: string) =>
    send(agent, {
      url: `${places.kat}/auth/v1/${path}`,
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email, password: 'Password1' }),
    });
  for (const email of accounts) await account('signup', email);

  const headers = { apikey: places.anonKey, authorization: `Bearer ${places.accessToken}` };
  const read = { url: `${places.kat}/rest/v1/bench_notes?${selectQuery(places.userId)}`, headers };
  async function phase(signIns: number): Promise<{ readMs: number[]; signInMs: number[] }> {
    const readMs: number[] = [];
    const signInMs: number[] = [];
    const endsMs = performance.now() + PHASE_MS;
    const reader = async () => {
      while (performance.now() < endsMs) {
        readMs.push(await send(agent, read));
        await sleep(PACE_MS);
      }
    };
    const person = async (email: string) => {
      while (performance.now() < endsMs) signInMs.push(await account('token?grant_type=password', email));
    };
    await Promise.all([...Array.from({ length: READERS }, reader), ...accounts.slice(0, signIns).map(person)]);
    return { readMs, signInMs };
  }

  await phase(0);
  const idle: number[] = [];
  const busy: number[] = [];
  const signIns: number[] = [];
  for (let nth = 0; nth < ROUNDS; nth += 1) {
    idle.push(...(await phase(0)).readMs);
    const { readMs, signInMs } = await phase(SIGN_INS);
    busy.push(...readMs);
    signIns.push(...signInMs);
  }
  agent.destroy();
  return {
    idleP50Ms: percentile(idle, 0.5),
    idleP99Ms: percentile(idle, 0.99),
    busyP50Ms: percentile(busy, 0.5),
    busyP99Ms: percentile(busy, 0.99),
    ratio: round(percentile(busy, 0.99) / percentile(idle, 0.99)),
    signInsPerS: round(signIns.length / ((ROUNDS * PHASE_MS) / 1000)),
    signInP99Ms: percentile(signIns, 0.99),
  };
}

async function measureOn(database: string, databaseUrl: string | null): Promise<Line> {
  const memory = await measureIdleMemory(databaseUrl);
  const server = await startBenchServer(databaseUrl);
  try {
    return { database, ...(await measure(server.places)), memory };
  } finally {
    await server.stop();
  }
}

const lines = [await measureOn('PGlite', null)];
const postgres = await startThrowawayPostgres();
if ('skipped' in postgres) console.error(`skipped: PostgreSQL (${postgres.skipped})`);
else {
  try {
    lines.push(await measureOn('PostgreSQL', postgres.url));
  } finally {
    await postgres.stop();
  }
}
console.log(JSON.stringify(lines, null, 2));
process.exit(0);
