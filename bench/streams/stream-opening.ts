/**
 * The cost of opening a forecast stream, statement by statement, in processor time of this process and of PostgreSQL,
 * beside the minimum of any statement. Different users, one forecast for all of them, four at a time. Prints one JSON
 * table.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { openPredictionStore } from '../../server/forecast/predictions/prediction-store.ts';
import { streamSlotStore } from '../../server/forecast/stream/stream-slots.ts';
import { type Database, SERVICE } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import { aUser, type TestUser } from '../../tests/support/worlds/prediction-world.ts';
import { aReservation } from '../../tests/support/worlds/reservations.ts';

const STREAMS = Number(process.env.BENCH_STREAMS ?? 1000);
/** Warm-up before counting: opens sessions, caches plans. */
const WARM = 60;
const CONCURRENCY = Number(process.env.BENCH_CONCURRENCY ?? 4);
const MINUTE = 1;

type Step = (user: TestUser) => Promise<unknown>;

const postgres = await startThrowawayPostgres();
if ('skipped' in postgres) throw new Error(postgres.skipped);
process.env.TEST_DATABASE_URL = postgres.url;
const firstPid = postgres.pid();
const database = await openTestDatabase('postgres');
try {
  const users: TestUser[] = [];
  for (let n = 0; n < STREAMS + WARM; n++) users.push(await aUser(database, 'lion'));
  const table: Record<string, unknown>[] = [];
  for (const [what, step] of Object.entries(stepsOf(database))) table.push({ what, ...(await costOf(users, step)) });
  console.log(JSON.stringify({ streams: STREAMS, concurrency: CONCURRENCY, table }, null, 1));
} finally {
  await database.close();
  await postgres.stop();
}

/** In the order in which a stream runs them. */
function stepsOf(db: Database): Record<string, Step> {
  const store = openPredictionStore({ database: db });
  const slots = streamSlotStore(db);
  const wanted = aReservation('', MINUTE);
  const { model, exc, sym, timeframe } = wanted;
  const key = { model, exc, sym, timeframe };
  const ids = new Map<TestUser, string>();
  const idOf = (user: TestUser): string => {
    const id = ids.get(user) ?? randomUUID();
    ids.set(user, id);
    return id;
  };
  return {
    'the least: select 1': () => db.query(SERVICE, 'select 1 as one'),
    'its place among the user’s streams': (user) => slots.take(user.id, idOf(user), { places: 3, lastsS: 30 }),
    'may it be computed (no cached permission)': (user) => store.permissionOf({ ...key, userId: user.id }),
    'the reservation': (user) => store.reserve({ ...wanted, id: idOf(user), userId: user.id }),
    'before the first candle': (user) => store.markCandlesSent(idOf(user), 1),
    'before the last candle': (user) => store.markCandlesSent(idOf(user), 50),
    'the place is free again': (user) => slots.free(user.id, idOf(user)),
    'read again, after a lost connection': (user) => store.find(user.id, idOf(user)),
  };
}

async function costOf(users: readonly TestUser[], step: Step) {
  const waiting = [...users];
  for (const user of waiting.splice(0, WARM)) await step(user);
  const before = { here: process.cpuUsage(), postgresMs: postgresMs() };
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let user = waiting.pop(); user !== undefined; user = waiting.pop()) await step(user);
    }),
  );
  const { user, system } = process.cpuUsage(before.here);
  return { hereMs: each((user + system) / 1000), postgresMs: each(postgresMs() - before.postgresMs) };
}

function each(ms: number): number {
  return Math.round((ms / STREAMS) * 100) / 100;
}

/** Of the postmaster and its children, to the nanosecond: ticks are too coarse for single statements. */
function postgresMs(): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => sum + millisecondsOf(pid), 0);
}

function millisecondsOf(pid: string): number {
  try {
    const parent = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
    if (![pid, parent].includes(String(firstPid))) return 0;
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
